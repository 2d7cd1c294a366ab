"""What this version computed, so that a later one can be compared. `python tests/golden.py` writes it anew.

Only a deliberate change of a number is a reason to write it again; say so in the commit. `golden/run` is a
run folder of version 0.1.0, which later versions must read: it is never made again.
"""
import json, tempfile
from pathlib import Path
import numpy as np
import pandas as pd
from rate_nb import Audit, Design, CallableReward, OpenAIRewriter, estimate_effects
from rate_nb.benchmarks import load_rm_bench, miniature_rm_bench, rm_bench_accuracy, score_responses
from rate_nb.calibration import RCLWR, LengthPenalty, RCMean
from rate_nb.data import load_examples
from rate_nb.rewriting import Sandbox

GOLDEN = Path(__file__).resolve().parent / "golden"
EXAMPLES = GOLDEN.parents[1] / "docs" / "examples"


def small_audit(endpoint: Sandbox, run_dir: Path) -> Audit:
    "24 responses, rewritten over HTTP and scored by a function"
    examples = load_examples(EXAMPLES / "responses.csv").head(24)
    rewriter = OpenAIRewriter("sandbox-rewriter", base_url=endpoint.base_url, api_key=lambda: "golden",
                              store=run_dir / "store.sqlite")
    def score(prompts, responses): return [len(r.split()) / 10 for r in responses]
    reward = CallableReward("words", score, key="words")
    return Audit(examples, "length", rewriter, [reward], run_dir, both=True,
                 design=Design(accept_stored=True))


def calibrated() -> pd.DataFrame:
    "Rewards of docs/examples/scores.csv after each calibrator"
    scores = pd.read_csv(EXAMPLES / "scores.csv")
    methods = dict(penalty=LengthPenalty(), rc_mean=RCMean(), rc_lwr=RCLWR())
    both = scores.length, scores.reward
    return scores.assign(**{name: method.fit(*both).calibrate(*both) for name, method in methods.items()})


def effects() -> pd.DataFrame:
    "Effects of the demo's scored table"
    return estimate_effects(pd.read_parquet(GOLDEN / "demo_scored.parquet")).table


def rm_bench() -> pd.DataFrame:
    "RM-Bench's table, of its miniature"
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in miniature_rm_bench(40, np.random.default_rng(0)).items():
            (Path(folder) / f"{name}_filtered.json").write_text(json.dumps(rows))
        pairs = load_rm_bench(folder)
    rewards = CallableReward("digits", lambda prompts, responses: [sum(map(ord, r)) % 97 for r in responses])
    return rm_bench_accuracy(score_responses(pairs, rewards))


def main():
    calibrated().to_parquet(GOLDEN / "calibrated.parquet")
    rm_bench().to_parquet(GOLDEN / "rm_bench.parquet")
    effects().to_parquet(GOLDEN / "demo_effects.parquet")


if __name__ == "__main__":
    main()
