#!/bin/sh
# The whole loop from files on disk, each step a process of its own, then every step again: the second round
# repeats no call and no forward pass. The endpoint is stopped before it, so a call could not be answered.
#
#   tests/loop.sh FOLDER      # FOLDER holds examples.csv, rm_bench.json, reward_bench.jsonl, alpaca_eval/,
#                             # responses.jsonl and base/, a causal language model
set -eu
cd "$1"
RATE="${RATE_NB:-rate_nb}"
export OPENAI_API_KEY=dry-run OMP_NUM_THREADS=1
STORE="$PWD/store.sqlite"
mkdir -p said

# the dry-run endpoint; its address is in its first line
$RATE sandbox --port 0 > said/sandbox.txt 2>&1 &
SANDBOX=$!
trap 'kill $SANDBOX 2> /dev/null || true' EXIT
until grep -q 'http://' said/sandbox.txt; do
    kill -0 $SANDBOX
    sleep 1
done
URL=$(grep -o 'http://[^ ",]*' said/sandbox.txt | head -n 1)

step() { # NAME COMMAND...: what it says is kept
    name=$1
    shift
    if ! $RATE "$@" > "said/$name.$ROUND.txt" 2>&1; then
        cat "said/$name.$ROUND.txt"
        echo "loop.sh: round $ROUND stopped at $name"
        exit 1
    fi
    echo "round $ROUND: $name"
}

audit() { # NAME, then further flags
    name=$1
    shift
    step "$name" audit examples.csv --attribute length --base-url "$URL" --rewriter-model sandbox-rewriter \
        --run-dir "runs/$name" --store "$STORE" "$@"
}

scores() { # NAME DATA: by the reward as it was, and calibrated
    step "$1" score "$2" --reward "[demo, $CALIBRATED]" --run-dir "runs/$1" --store "$STORE"
}

# what a calibration found makes a reward of any run
CALIBRATED="{reward: demo, calibration: $PWD/runs/calibrate}"
cat > policy.yaml <<EOF
reward: {kind: implicit, policy: $PWD/runs/train/policy, reference: $PWD/base}
EOF

round() {
    audit audit --reward-model demo
    step calibrate calibrate runs/audit --run-dir runs/calibrate --replicates 0
    audit audit_again --reward-model "$CALIBRATED"
    step repair repair --audit runs/audit --reward-model demo --train head --run-dir runs/repair --store "$STORE"
    scores rm_bench rm_bench.json
    scores reward_bench reward_bench.jsonl
    scores alpaca alpaca_eval
    step relabel relabel responses.jsonl --reward demo --calibration runs/calibrate --test 0.3 \
        --run-dir runs/relabel --store "$STORE"
    step train train --pairs runs/relabel/relabelled.jsonl --test runs/relabel/relabelled_test.jsonl \
        --model base --reward demo --lr 0.001 --samples 1 --max-new-tokens 12 --run-dir runs/train --store "$STORE"
    audit audit_policy --config policy.yaml
}

paid() { # what each step of this round paid for, a line each, by what the steps themselves say
    for run in audit audit_again repair rm_bench reward_bench alpaca relabel train audit_policy; do
        grep -Ho '"\(rewrite_calls\|forward_passes\)": *[0-9]*' "runs/$run/summary.json"
    done
}

kept() { # values in the store by kind, and the files of what was trained
    $RATE store "$STORE" --json 2> /dev/null | grep -o '"kind": "[a-z_]*", "values": [0-9]*'
    cksum runs/calibrate/calibrator.parquet runs/repair/repaired/model.safetensors \
        runs/train/policy/model.safetensors runs/train/answers/*.parquet
}

ROUND=1
round
paid > said/paid.1.txt
kept > said/kept.1.txt
kill $SANDBOX
wait $SANDBOX 2> /dev/null || true
ROUND=2
round
paid > said/paid.2.txt
kept > said/kept.2.txt
cmp said/kept.1.txt said/kept.2.txt
if [ "$(grep -c ': 0$' said/paid.2.txt)" != "$(wc -l < said/paid.1.txt | tr -d ' ')" ]; then
    cat said/paid.2.txt
    echo "loop.sh: round 2 paid again"
    exit 1
fi
again=$(find runs/repair/repaired runs/train/policy runs/train/answers -type f -newer said/kept.1.txt)
if [ -n "$again" ]; then
    echo "loop.sh: round 2 wrote again: $again"
    exit 1
fi
cat said/paid.1.txt said/kept.2.txt
echo "loop.sh: done, and done again without a call or a forward pass"
