"Mistakes of a first day, each answered at once: what is wrong, what to do, no kernel and no file."
import copy, json, pickle, re, shlex, shutil, signal, sys, threading, warnings
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
import nbformat
import numpy as np
import pandas as pd
import pytest, yaml
from nbformat.v4 import new_code_cell, new_notebook
from servers import Quiet
from rate_nb import load_reward_model
from rate_nb.__main__ import start
from rate_nb.audit import Audit, Design, Grading
from rate_nb.audit.manifest import _look_at
from rate_nb.audit.people import read_votes
from rate_nb.audit.run_folder import UnloadedReward, audited_over, not_passed
from rate_nb.audit.specification import (
    layered, load_function, read_specification, remedies, specification_faults)
from rate_nb.audit.starter import starter
from rate_nb.base.core import InputError, ModelError, RateError, SchemaError
from rate_nb.base.files import read_json
from rate_nb.base.store import Store
from rate_nb.batch import cli
from rate_nb.batch.grid_plan import read_grid
from rate_nb.batch.notebooks import check_inputs, run_notebooks
from rate_nb.benchmarks.preferences import relabel_file
from rate_nb.calibration.calibrators import LengthPenalty
from rate_nb.calibration.score_tables import calibrate_scores, load_scores, scores_of_audit
from rate_nb.checkpoints.encoding import read_conventions
from rate_nb.data import Attribute, load_examples, make_attribute
from rate_nb.diagnostics import diagnose
from rate_nb.estimators import Effects
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.llm.prices import price_of
from rate_nb.rewriting import double_rewrite
from rate_nb.rewriting.chains import FunctionRewriter, rewrites_from_file
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.rewriting.usable import UnusableRewritesError
from rate_nb.scoring import CallableReward, HTTPReward, score_rewrites, to_scored
from rate_nb.scoring.judges import LLMJudge, try_judge
from rate_nb.scoring.rewards import read_scored, try_reward
from rate_nb.scoring.rubrics import RubricReward
from rate_nb.studies.forecasting import attribute_values, forecast, without_effect
from rate_nb.theory import LengthTaste, TextWorld

ROOT = Path(__file__).resolve().parents[2]
ROWS = [f"Was ist {i}?;Es ist {'sehr ' * (i % 5)}gut.;{i % 7},5;ja" for i in range(40)]
OK = '''examples: {source: texte.csv, columns: {prompt: Frage, response: Antwort}}
attribute: length
rewriter: {model: m, base_url: "http://127.0.0.1:9/v1"}
reward: {url: "http://127.0.0.1:9/score", wire: plain}
'''
SCORED = "example_id,prompt_id,draw,model,w,reward_original,reward_rewrite,reward_rewrite_of_rewrite\n"


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    "The run folder of an audit of sentiment, whose rewrites are as long as the originals"
    folder, world = tmp_path_factory.mktemp("audited"), TextWorld("sentiment")
    examples = world.examples(40, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    reward = CallableReward("taste", LengthTaste(per_100=.6), key=".6")
    rewards = score_rewrites(examples, rewrites, reward, progress=False)
    for name, table in dict(examples=examples, rewrites=rewrites, rewards=rewards,
                            scored=to_scored(examples, rewrites, rewards)).items():
        table.to_parquet(folder / f"{name}.parquet", index=False)
    (folder / "manifest.json").write_text('{"audit": {"attribute": {"name": "sentiment"}}}', encoding="utf-8")
    return folder


@pytest.fixture
def desk(tmp_path, monkeypatch, audited):
    "A folder with the files of somebody whose columns are German"
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name, text in {
        "texte.csv": "\n".join(["Frage;Antwort;Note;geprüft", *ROWS]),
        "noten.csv": "\n".join(["Frage;Antwort;Note;Länge", *(r.replace(",5", ".5").replace("ja", str(len(r)))
                                                            for r in ROWS)]),
        "ok.yaml": OK, "leer.yaml": "", "einzug.yaml": OK.replace("reward:", " reward:"),
        "gleich.yaml": OK + "both = true\ndraws: 2",
        "note.csv": "prompt,response,note\nWas?,Das.,1\nWie?,So.,2",
        "text.yaml": "hallo", "tab.yaml": "examples: texte.csv\n\tn: 3",
        "margin.yaml": OK + "margin: 10", "typ.yaml": OK.replace("rewriter", "rewritr"),
        "preise.csv": "model;prompt;completion\nm;0,10;0,40", "leer.csv": "", "buch.xlsx": "PK",
        "grid.yaml": "grid: {draws: [1, 2]}\nparameters: {config: ok.yaml}",
        "prozent.csv": "\n".join(["reward;response", *["80 %;So."] * 12]),
        "shards.yaml": "grid: {draws: [1, 2]}\nparameters: ok.yaml",
        "komma.csv": "\n".join(["reward;response", *["0,80;So."] * 12]),
        "scored.csv": SCORED + "0,0,0,a,1,1,2,1\n1,1,0,a,0,1,0,1\n",
        "komma_w.csv": (SCORED + "0,0,0,a,1,1,@,1\n").replace(",", ";").replace("@", "2,5"),
        "bericht.json": '{"said": ["a"], "table": [{"n": 1}, {"n": 2}], "rows": [1, 2]}',
        "kein.parquet": "kein Parquet", "leer_w.csv": "prompt,response,höflich\nWas?,Das.,\nWie?,So.,",
        "key.yaml": OK.replace('/v1"', '/v1", api_key_env: NO_KEY'),
        "hell.yaml": OK.replace("wire: plain", "wire: plain, api_key_env: NO_KEY"),
        "leer_m.yaml": OK.replace("model: m", "model: ''"),
        "spalten.yaml": "examples: {source: texte.csv, columns: {prompt: Frage, response: Antwort}}",
        "gleich.csv": "\n".join(["reward;response", *["1;So."] * 12]),
        "taste.py": "def score(prompts, responses): return [len(r) for r in responses]\n",
        "attribute.yaml": "grid: {draws: [1, 2]}\nparameters: {examples: demo, attribute: [length, "
                          "sentiment]}",
        "zwei_a.yaml": "grid: {draws: [1, 2]}\nparameters: {examples: demo, attribute: 'length, sentiment'}",
        "zwei_g.yaml": "grid: {attribute: 'length, sentiment'}\nparameters: {examples: demo}",
        "spaeter.py": "class Score: pass\nasync def ascore(prompts, responses): return [1.]\n",
        "minus.csv": "model,prompt,completion\nm,-1,2",
        "text.csv": "prompt,response,reward\nWas?,Das.,2 Punkte\nWie?,So.,3 Punkte",
        "paare.csv": "prompt,chosen,rejected\n" + "\n".join(f"Was {i}?,So.,Nein." for i in range(40)),
        "zwei.csv": "prompt,response,laenge\n" + "\n".join(f"Was {i//2}?,So {i}.,{i}" for i in range(80)),
        "bewertet.csv": "prompt,response,reward\n" + "\n".join(f"Was {i//2}?,So {i}.,{i}" for i in range(80)),
        "leer_r.csv": "prompt,response,reward\nWas?,Das.,\nWas?,So.,",
        "bench.json": json.dumps([dict(id=1, domain="chat", prompt="Was?", chosen=["a"]*3,
                                      rejected=["b"]*3)]),
        "eins_zwei.csv": "prompt,response,w\nWas?,Das.,1\nWie?,So.,2",
        "wie.csv": "prompt,response\n\"Was: wie?\",Das: so.",
        "zwei_l.json": '{"train": [{"prompt": "a"}], "test": [{"prompt": "b"}]}',
        "zeilen.jsonl": '{"prompt": "Was?"}',
        "teil.csv": "prompt,response,w\nWas?,Das.,0.2\nWie?,So.,0.7",
        "minus_w.csv": "prompt,response,w\nA?,B.,-1",
        "zeilen.json": '{"prompt": "a"}\n{"prompt": "b"}', "liste.jsonl": '[\n{"prompt": "Was?"}]',
        "feld.jsonl": '[{"prompt": "Was?", "response": "Das."}]',
        "ids.csv": "example_id,prompt,response\n1,Was?,Das.\n1,Wie?,So.",
        "luecke.csv": "prompt_id,prompt,response\n,Was?,Das.\n1,Wie?,So.",
        "eine.jsonl": '{"prompt": "Was?", "response": {"role": "assistant", "content": "So."}}',
        "regel.py": "def fremd(answer, question): return 'sehr' in answer\ndef frage(prompt): return True\n"
                    "def umgekehrt(response, prompt): return True\ndef immer(response): return True\n"
                    "def alle(responses, prompts): return ['ja']*len(responses)\n"
                    "def eine(text, laut=False): return ['sehr']*999\n"
                    "def gut(response): return 'sehr' in response",
        "ein_text.csv": "prompt,response\n" + "\n".join(f"Was {i}?,So." for i in range(30)),
        "objekte.jsonl": "\n".join(json.dumps(dict(prompt=f"Was {i}?", response=dict(
            text=f"So {'sehr '*(i % 5)}{i}, und immer weiter, bis an das Ende" + " der Zeile"*3, meta=1)))
            for i in range(30)),
        "zwei_schlecht.jsonl": "\n".join(json.dumps(dict(prompt=f"Was {i}?", response={4: dict(text="x"), 7:
            None}.get(i, f"So {'sehr '*(i % 5)}{i}."))) for i in range(30)),
        "klammer.yaml": OK.replace("attribute: length", "attribute: {name: a, treated: b, untreated: c, "
                                   "instruction: Make it {W}. Now, label: {regex: sehr}}"),
        "dollar.yaml": OK + "prices: {m: $0.10}",
        "ja.csv": "prompt_id,response,reward,preferred\n1,So.,1,ja\n1,Nein.,2,nein",
        "params.yaml": "grid: {draws: [1, 2]}\nparameters: texte.csv",
    }.items():
        Path(name).write_text(text, encoding="utf-8")
    shutil.copytree(audited, "stimmung")
    for folder in ("mine", "empty", "leer_a", "leer_b"):
        Path(folder).mkdir()
    Path("mine", "audit.yaml").write_text(OK, encoding="utf-8")
    return tmp_path


PLAN = "audit --config ok.yaml --plan "
FORECAST = "forecast noten.csv --columns '{reward: Note, prompt: Frage, response: Antwort}' "
LABEL = PLAN + "--attribute '{name: tone, treated: kind, untreated: rude, label: "
SANDBOX = " --attribute length --base-url sandbox --reward-model taste.py:score"
MISTAKES = [
    (PLAN + "--reward-model taste.score", r"is no model; a function of a file is written taste\.py:score"),
    ("levels --plan", "levels has no plan; `rate_nb audit --plan`.* sends two rewrites of each example for"),
    ("prompts --plan", "prompts has no plan; `rate_nb audit --plan`.* sends two rewrites of each prompt"),
    ("review audits/base", "a review is part of an audit, `rate_nb audit … --review 40`"),
    ("plan ok.yaml", "a plan is part of an audit, `rate_nb audit … --plan`"),
    ("effects scored.csv --model nix", "unrecognized arguments: --model nix; which column of the file"),
    ("relabel bewertet.csv --audit mine", "unrecognized arguments: --audit mine\n"),
    ("batch ok.yaml", "this is the configuration of one audit: `rate_nb audit --config FILE`"),
    ("audit --config gleich.yaml --plan", "line 5: 'both = true' holds no colon with a space after it"),
    ("relabel note.csv --reward note", "--reward 'note' is a column of note.csv: leave it out"),
    *((f"relabel bewertet.csv --calibration mine --{said}", f"--{said.split()[0]} stands in --calibration "
       "already") for said in ("gamma .5", "method penalty", "frac .3", "it 1", "alpha .1")),
    ("runs audit", "runs takes no name; `rate_nb runs` alone shows all"),
    ("pilot --attribute x", "pilot reads the scores of a run, .* `rate_nb audit --plan`"),
    (PLAN + "--attribute höflich", "where 'höflich' is a column of labels, leave out `label`"),
    ("report audits/base", "report of a run is RUN_DIR/report.html"),
    ("audit --config grid.yaml --plan", "grid.yaml is a grid of runs: rate_nb batch grid.yaml"),
    ("audit texte.csv --attribute length sentiment", "one word: --attribute length,sentiment"),
    (PLAN + "--attribute length+sentiment", "must be one, .*the command takes --attribute length,sentiment"),
    (PLAN + "--reward-model taste:score", r"'taste:score'.* function of a file is written taste\.py:score"),
    (PLAN + "--reward-model 127.0.0.1:9/s", r"an address begins with http://: http://127\.0\.0\.1:9/s"),
    ("rm_bench --reward-model taste:score", r"function of a file is written taste\.py:score"),
    ("rm_bench --reward-model taste.py:score", "'taste.py:score' is neither a folder nor a hub name; "
     "`rate_nb score DATA --reward taste.py:score`.*`rate_nb rm_bench --scores`"),
    (PLAN + "--run_dir x", "did you mean --run-dir?"),
    ("audit texte.csv --attribute length --both yes", "takes no value: --both is yes, --no-both is no"),
    ("audit texte.csv -p 'examples.columns={prompt: Frage, response: Antwort}' --attribute length "
     "--rewriter-model sandbox --reward-model taste --plan", "a function of taste.py is named taste.py:NAME"),
    (PLAN + "--itself 're:(x'", "^rate_nb audit: --itself 're:.x' is no regular expression"),
    ("calibrate noten.csv --columns '{rewad: Note}'", "did you mean 'rewad'"),
    ("audit texte.csv -attribute length", "arguments: -attribute length; did you mean --attribute"),
    ("audit texte.csv -p draws 2", r"-p must read PATH=VALUE, not 'draws'; did you mean -p draws=2\?"),
    (PLAN + "-p draws", "-p must read PATH=VALUE, e.g. -p draws=VALUE, not 'draws'"),
    (PLAN + "-prices preise.csv", r"did you mean --prices\?"),
    ("audit --config ok.yaml -p examples.source=texxte.csv --plan", "no such file; did you mean 'texte.csv'"),
    ("compare stimmung --against stimmun", "no such file 'stimmun'; an audit makes one: `rate_nb audit FILE "
     "--run-dir stimmun`; did you mean 'stimmung'"),
    ("forecast --attributes lenght", "--attributes 'lenght' is neither a column"),
    ("forecast --gold qualty", "--gold names the column 'qualty'"),
    ("forecast bewertet.csv --audit stimmung --model keins", "--model must be one of 'taste', not 'keins'"),
    ("calibrate a.csv,b.csv", "no such file 'a.csv,b.csv'; one is wanted here"),
    (PLAN + "--both=nein", "--both takes no value, not 'nein': --both is yes, --no-both is no"),
    (PLAN + "--budget 5,00", r"not '5,00'; write 5 "),
    (PLAN + "--budget 20€", r"not '20€'; write 20 "),
    (PLAN + "--level 95%", r"not '95%'; write 0.95 "),
    (PLAN + "--budget 1,000", "without a separator of thousands"),
    (PLAN + "--level 95", "must be below 1, not 95.0; 95% is 0.95"),
    ("audit --config margin.yaml --plan", "10 standard deviations .* 10% of one is 0.1"),
    (PLAN + "--reward-model {url:http://127.0.0.1:9/score}", "a space follows the colon, `url: http"),
    (PLAN + "--prices {m:.1}", "a space follows the colon"),
    (PLAN + "-p 'prices={m: .1}'", r"must be \[prompt, completion\], in dollars"),
    (LABEL + r'{regex: "\smaybe"}' + "}'", "a backslash begins an escape; use single quotes"),
    (LABEL + r'{regex: "\bmay"}' + "}'", "holds a backspace, .* use single quotes"),
    ("audit texte.csv -p 'examples.columns={prompt:Frage}' --rewriter-model sandbox --reward-model demo",
     "a space follows the colon, `prompt: Frage`"),
    ("audit --config ok.yaml", "nothing answers there"),
    (PLAN + "-p 'review={pairs: 9, confirm: {adds a closing: yes}}'", "'attribute', 'artefact', not True"),
    (PLAN + "--prices preise.csv", "commas separate the columns, and a price has a decimal point"),
    (PLAN + "-p rewrd.name=x", "did you mean 'reward.name'?"),
    ("audit --config typ.yaml --plan", "did you mean 'rewriter'?.*still needed"),
    ("discover .", "a file of YAML; . is a folder. `rate_nb init FILE` writes one"),
    ("audit --config einzug.yaml --plan", "line 4: entries of one section begin in one column"),
    ("audit --config leer.yaml --plan", "it is empty. `rate_nb init FILE` writes one"),
    ("audit --config text.yaml --plan", "it holds 'hallo'"),
    ("audit --config tab.yaml --plan", "Indent with spaces"),
    ("audit --config ok.yaml --run-dir mine", "would overwrite, and no manifest.json of a run"),
    ("batch grid.yaml", "a grid takes what a file says by `parameters: FILE.yaml`"),
    ("init buch.xlsx", "known are '.csv', '.tsv', '.jsonl', '.json', '.parquet'. Save it"),
    ("init leer.csv", "the file is empty"),
    ("init texte.csv --prompt Antwort --response Antwort", "cannot be both the prompt and the response"),
    ("calibrate noten.csv", "Say what yours are called with --columns, e.g. {reward: their_name"),
    ("calibrate noten.csv --columns reward=Note", "--columns: must be our names and theirs"),
    ("relabel noten.csv --columns '{reward: [a, b]}'", "--columns: must be our names and theirs"),
    ("calibrate noten.csv --columns '{reward: Noten}'", "did you mean 'Note'?"),
    ("calibrate noten.csv --columns '{Note: reward}'", "write --columns .{'reward': 'Note'}"),
    ("calibrate noten.csv --columns '{reward: Note}' --characteristic Lange",
     r"--characteristic 'Lange' is neither a count .* nor a column \(Frage, Antwort, reward, Länge\)"),
    ("calibrate noten.csv --columns '{reward: Note}' --method lowess", "must be one of auto, causal, rc-lwr"),
    ("calibrate noten.csv --columns '{reward: Note}' --gamma -1", "--gamma: must be at least 0"),
    ("calibrate noten.csv --gamma 150", "--gamma: must be at most 10, not 150.0; 150% is 1.5"),
    ("audit texte.csv noten.csv", "noten.csv; rate_nb audit takes one file, and flags; join several files"),
    ("init texte.csv noten.csv", "rate_nb init takes one file"),
    ("--attribute length audit 'my file.csv' --plan", "the command comes first: rate_nb audit 'my file.csv' "
     "--plan --attribute length"),
    *((PLAN + f"--prices '{said}'", r"--prices: .* is written with square brackets, '\[0.1, 0.4\]'")
      for said in ("(0.1, 0.4)", "0.1,0.4")),
    ("calibrate noten.csv --columns '{reward: Note}' --method causal", "--method 'causal' needs --audit"),
    ("calibrate noten.csv --columns '{reward: Note}' --method joint", "is for several characteristics"),
    (FORECAST + "--gold quality", "--gold names the column 'quality', which the candidates lack"),
    (FORECAST + "--sizes 0", "--sizes must be whole numbers from 1 to 1,024"),
    (FORECAST + "--attributes lenght", "--attributes 'lenght' is neither a column"),
    ("grid_summary mine", "mine is not the folder of a grid"),
    ("calibrate noten.csv --columns '{reward: Note}' --audit audits/none", "--audit: no such file"),
    ("compare audits/none", "--first: no such file"),
    *((f"{name} texte.csv", "has no column 'w'.*Name yours with --columns") for name in
      ("effects", "pilot", "compare")),
    *((f"{name} texte.csv", "prompt.*(response|chosen)") for name in
      ("forecast", "relabel", "score --reward demo", "levels --rewriter m --examples", "shift",
       "train --model m", "explain --audits mine --generations", "dynamic --rewriter m --examples",
       "prompts --rewriter m --generator m --examples")),
    ("relabel noten.csv", "2 columns missing: prompt, response"),
    ("score texte.csv --columns '{prompt: Frag}'", "which it does not have"),
    ("people texte.csv --audit texte.csv", "2 columns missing: example_id, choice"),
    ("rewriters texte.csv,noten.csv", "has no column 'w'.*Name yours with --columns"),
    ("alpaca_eval texte.csv", "5 columns missing: generator"),
    ("rm_bench texte.csv", "a row must hold id, domain"),
    ("rm_bench eine.jsonl", "`domain` is missing in every row.*A row of RM-Bench reads .*\"chosen\": \\["),
    ("recalibrate_reward_bench texte.csv", "is a file; name the folder"),
    ("watch audits --audits mine", "names fewer than two checkpoints"),
    ("repair mine", "holds no examples.parquet"),
    ("close_the_loop mine", "lacks examples.parquet"),
    (LABEL + "{regex: \"[a-z\"}}'", "'\\[a-z' of a label is no regular expression"),
    (LABEL + "{column: geprueft}}'", "has no column 'geprueft'; besides its texts it has Note, geprüft; did "
     "you mean 'geprüft'"),
    (LABEL + "{column: geprüft, treated: [nein], untreated: [vielleicht]}}'", "holds none of the values"),
    (PLAN + "--attribute formality", "attribute 'formality' has no label rule"),
    (PLAN + "--attribute lenght", r"did you mean 'length'\?.*One of your own is {name: …, treated: …"),
    ("audit --config none.yaml --plan", r"none.yaml cannot be read: No such file or directory\n"),
    ("audit texte.csv --attribute length --base-url sandbox --reward-model demo",
     "{'prompt': 'their name', 'response': 'their name'}"),
    ("batch none.yaml", r"none.yaml cannot be read: No such file or directory\n"),
    ("batch texte.csv", "texte.csv is a table, and a grid is a YAML file that says which audits to run, with "
     "notebook, .*To audit this file, begin with `rate_nb init texte.csv`"),
    ("batch wie.csv", "wie.csv is a table, and a grid is .*`rate_nb init wie.csv`"),
    ("batch zeilen.jsonl", "a grid is .*`rate_nb init zeilen.jsonl`"),
    ("batch kein.parquet", "a grid is .*`rate_nb init kein.parquet`"),
    ("init zwei_l.json", "zwei_l.json: 'train', 'test' hold a list of objects each"),
    ("batch shards.yaml --shard 3/2", "must read I/N, with I from 1 to N, e.g. 2/8, not '3/2'"),
    ("batch params.yaml", r"not 'Frage;Antwort.{0,60}\n"),
    ("calibrate prozent.csv", "write 80% as 0.8"),
    ("calibrate noten.csv --columns '{reward: Note}' --characteristic lenght", "did you mean 'length'?"),
    ("calibrate noten.csv --columns '{reward: Note, response: Note}'",
     "makes 'Note' both reward and response"),
    ("discover ok.yaml --keep 0 --plan", "`--keep` must be a finite number, 1 or more"),
    ("probe texte.csv", "a file of YAML; texte.csv is a table. `rate_nb init FILE` writes one"),
    ("publish none --to public", "none: no such folder"),
    ("verify none", "none: no such folder; `rate_nb publish"),
    ("verify leer.csv", "leer.csv: is a file; `rate_nb publish"),
    ("verify mine", "there is no manifest.json. `rate_nb publish RUN --to FOLDER` makes one"),
    ("rm_bench texte.csv", "a row must hold id, domain, prompt, chosen, rejected; row 1 holds 'Frage'"),
    ("run texte.csv", "it is no JSON object with cells"),
    ("store neu.sqlite --import texte.csv", "a store takes in what `export` wrote"),
    ("store neu.sqlite --import zeilen.jsonl", "its rows do not hold kind, key and value"),
    ("store neu.sqlite --import none.jsonl", "no such file"),
    ("train mine", "'mine' is a folder, not a file"),
    ("calibrate noten.csv --columns '{reward: Note, response: Antwort}' --characteristic tokens",
     "needs a --tokenizer: a folder"),
    ("calibrate komma.csv", "write a decimal point"),
    ("effects komma_w.csv", "is not a scored table.*`reward_rewrite` must be .*; write a decimal point"),
    ("effects scored.csv --columns '{reward_orginal: reward_original}'", "did you mean 'reward_orginal'?"),
    ("pilot bericht.json", "no table, neither a list of rows nor columns of one length"),
    ("init kein.parquet", "it is no Parquet file, or only a part of one"),
    ("audit leer_w.csv --base-url sandbox --reward-model demo --attribute '{name: tone, treated: kind, "
     "untreated: rude, label: {column: höflich}}'", "'höflich' is empty in every row"),
    (PLAN + "--prices minus.csv", "`prompt` of 'm' must be 0 or more"),
    ("relabel text.csv", "no response has a finite reward; the first holds '2 Punkte'"),
    ("relabel noten.csv --calibration mine", "--calibration mine/calibrator.parquet: no such file"),
    ("people noten.csv --audit mine", "--audit mine is no run folder of an audit that was scored"),
    ("audit --config key.yaml", "no API key for `rewriter` in key.yaml: set the environment variable NO_KEY"),
    ("audit --both yes --config ok.yaml", "no such file 'yes'; a switch such as --both takes no value"),
    ("audit --config ok.yaml --prices 'm: 1'", "no such file 'm: 1'; a mapping stands in braces, '{m: 1}'"),
    ("audit --config ok.yaml -p 'attribute={name: a, treated: b, untreated: c, label: not sure}'",
     "has no column 'not sure'.*a pattern that texts are searched for is {regex"),
    ("audit --config ok.yaml -p 'rewriter={model: m}' -p 'reward={kind: judge, model: m}'",
     "no API key for .*rewriter` and `.*with `rewriter.api_key_env` and `reward.api_key_env`"),
    ("audit --config hell.yaml", "no API key for `reward` in hell.yaml: set the environment variable NO_KEY"),
    ("audit --config ok.yaml -p 'reward={kind: judge, model: m}'", "no API key for .*reward.*OPENAI_API_KEY"),
    ("audit --config ok.yaml -p review.pairs=40 -p 'review.reviewer={model: m, api_key_env: NO_KEY}'",
     "no API key for .*review.reviewer.*set the environment variable NO_KEY"),
    ("audit --config ok.yaml -p 'rewriter={model: m, base_url: \"http://a/v1\", headers: {X-Key: $NO_VAR}}'",
     "X-Key is to hold the environment variable NO_VAR, which is not set"),
    ("audit --config ok.yaml -p 'rewriter={function: \"taste.py:score\"}'", "is score.prompts, responses., "
     "and must be f.prompt, text, target"),
    ("audit --config ok.yaml -p 'attribute={name: x, treated: a, untreated: b, label: {regex: zzz}}'",
     "the pattern 'zzz' finds none of the 40 responses.*Patterns tell small.*: are the columns of prompt and "
     "response exchanged"),
    ("audit --config ok.yaml -p 'attribute={name: x, treated: a, untreated: b, label: {regex: \"(?i)zzz\"}}'",
     "so there is nothing to compare. The first response is “"),
    ("levels texte.csv --levels '{name: length, targets: [4, 8]}' --rewriter sandbox --reward taste.py:score",
     "Name them: \"{source: texte.csv, columns: {'prompt': .*}}\" in place of the file"),
    ("score texte.csv --reward taste.py:score", "Name them: --columns \"{'prompt': "),
    ("levels zwei.csv --levels '{name: lenght, targets: [40, 80]}' --rewriter m --reward demo",
     "`words` must say what lenght of 40 means to a rewriter.*did you mean 'length'"),
    ("levels zwei.csv --levels '{name: length, targets: [4, 8]}' --measure wrods --rewriter m --reward demo",
     "'wrods' is no count: .*did you mean 'words'"),
    ("audit --config ok.yaml --itself 'begins with the'",
     "named as it is printed: begins with “word”. .*'re:.?.?i.begins with the'"),
    ("audit --config ok.yaml -p 'reward={ulr: \"http://127.0.0.1:9/score\", wire: plain, name: r}'",
     "ulr.* is not known here; 'url' is one of kind http: say `kind: http`"),
    ("audit --config ok.yaml -p 'rewriter={modle: m, base_url: \"http://127.0.0.1:9/v1\"}'",
     "modle.* is not known here; did you mean 'model'"),
    ("compare stimmung mine", "unrecognized arguments: mine; name what it is compared with by --against"),
    ("effects a.csv b.csv", "unrecognized arguments: b.csv; several files or folders are one word"),
    ("audit --config ok.yaml -p grading.margin=10", "margin.* is in standard deviations .*; 0.1 is usual"),
    ("audit --config ok.yaml --itself wordz", "'wordz' is no measure, and no response contains it; did you "
     "mean 'words'"),
    ("audit --config ok.yaml -p 'examples.columns={prompt: Frage, answer: Antwort}'",
     "'answer' is none of our names; write .*{'prompt': 'Frage', 'response': 'Antwort'}"),
    (PLAN + "-p 'prices={m: [0.0000001, 0.0000004]}'", r"1e-07 is hardly anything: do you mean 0.1\?"),
    (PLAN + "-p 'examples.columns={prompt: Frage.text, response: Antwort}'",
     "is 'Frage.text' a field within 'Frage'. .*json_normalize"),
    (PLAN + "-p 'prices={m: [-1, 2]}'", r"is a price below 0, \[-1.0, 2.0\]: `prices` are what"),
    ("levels zwei.csv --levels tone --rewriter sandbox --reward demo",
     "the sandbox cannot make a response 'formal in tone"),
    ("levels zwei.csv --levels '{name: length, targets: [40, 80]}' --rewriter sandbox --reward demo",
     "the sandbox cannot make a response 'about 40 words long'"),
    ("levels zwei.csv --levels '{name: length, targets: [-5, 0]}' --rewriter m --reward demo",
     "-5 is not above 0"),
    ("levels zwei.csv --levels '{name: length, targets: [0, 40]}' --rewriter m --reward demo",
     "0 is not above 0"),
    ("calibrate noten.csv --reward Note", r"is said by --columns '{reward: NAME}'"),
    ("audit --config spalten.yaml --plan", "--rewriter-model, or `rewriter` in spalten.yaml .*`reward` in"),
    ("--versoin", "unrecognized arguments: --versoin; did you mean --version"),
    ("audit eins_zwei.csv --rewriter-model sandbox --reward-model demo", "`attribute.label: {column: old_w, "
     "treated: 2, untreated: 1}`"),
    *((f"audit {file} --rewriter-model sandbox --reward-model demo", says) for file, says in (
        ("teil.csv", "to split numbers, .*`attribute.label: {column: old_w, above: median}`"),
        ("minus_w.csv", "1 for WITH .* -1 for WITHOUT it, .*: {column: old_w, treated: 1, untreated: -1}`"),
        ("zeilen.json", "A file with an object on each line is named .jsonl"),
        ("liste.jsonl", "a file that is one list or one object is named .json"),
        ("feld.jsonl", "it is list; a file that is one list or one object is named .json"),
        ("ids.csv", "2 rows share theirs .*; without this column each row gets a number"),
        ("luecke.csv", "1 row holds nothing .*; without this column equal prompts share one"),
        ("eine.jsonl", r"a message stands in a list, \[{role: …, content: …}\]"))),
    ("audit --config ok.yaml -p 'examples.where={land: DE}'",
     r"'land', which it does not have \(it has: Frage, Antwort, Note, geprüft\)"),
    ("audit --config ok.yaml --itself nosuchthing", "'nosuchthing' is no measure, and no response contains "
     "it. If rewrites may hold it, write a pattern, 're:"),
    ("audit --config ok.yaml --artefacts nosuchthing", "'nosuchthing' is no measure"),
    *((f"audit --config ok.yaml --itself '{mark}'", "nothing answers there") for mark in
      ("how far from usual: words", "begins with “Es”", "re:nosuchthing")),
    ("audit --config ok.yaml --store texte.csv", "texte.csv: this file is no store"),
    ("audit --config ok.yaml -p 'reward={path: texte.csv}'", "the scores in texte.csv .*reward: rating.*: "
     ".*missing: "),
    ("score texte.csv --columns '{prompt: Frage, response: Antwort}' --reward noten.csv",
     "the scores in noten.csv"),
    ("audit --config ok.yaml -p run_dir=stimmung -p attribute=helpfulness",
     "belongs to another audit, of .sentiment"),
    ("audit --config spalten.yaml -p rewriter.base_url=sandbx -p reward=taste.py:score",
     "must begin with http:// or https://, or be sandbox; did you mean 'sandbox'"),
    ("audit --config ok.yaml -p 'reward=./empty'", "'./empty': the folder holds no model"),
    ("levels paare.csv --levels '{name: length, targets: [40, 80]}' --rewriter m --reward taste.py:score",
     "no API key for .*rewriter"),
    ("dynamic --attributes 'formality: 1' --examples paare.csv --reward taste.py:score --rewriter sandbox",
     "the sandbox cannot make a response"),
    ("audit --config leer_m.yaml", "`model` must be the endpoint's name for the model, not ''"),
    ("audit --config spalten.yaml --attribute sentiment --base-url sandbox "
     "--reward-model demo", "come from a list of English words"),
    ("audit --config spalten.yaml --attribute '{name: gut, treated: gut, "
     "untreated: schlecht, label: {regex: sehr}}' --base-url sandbox --reward-model demo", "the sandbox "
     "cannot make a response 'gut'"),
    ("calibrate noten.csv --columns '{reward: Note, response: Antwort}' --audit mine", "--audit mine lacks "
     "'examples.parquet'"),
    ("calibrate gleich.csv", "every reward of 'model' is 1: there is no bias"),
    ("calibrate noten.csv --columns '{reward: Note, response: Antwort}' --characteristic reward",
     "--characteristic must be what may bias the reward, not `reward` itself"),
    ("shift --config spalten.yaml --other zzz --rewriter sandbox --reward "
     "demo", r"--other 'zzz' is no column of the examples \('Note', 'geprüft'\)"),
    ("train paare.csv --model ./nix", "the model './nix' is not there"),
    ("forecast noten.csv", "name yours with --columns"),
    ("forecast texte.csv --columns '{reward: R, prompt: geprüft, response: Antwort}'", "names 'R', which"),
    ("relabel noten.csv", "name yours with --columns"),
    ("relabel noten.csv --columns '{reward: Noten}'", "did you mean 'Note'?"),
    ("relabel noten.csv --columns '{Note: reward}'", "write --columns .{'reward': 'Note'}"),
    ("compare scored.csv --against scored.csv", "a reward does not differ from itself"),
    ("recalibrate_reward_bench noten.csv", "is a file; name the folder that holds such files"),
    *((f"{name} zwei.csv", r"no column 'reward' \(it has: 'prompt', 'response', 'laenge'\)\. Name yours with "
       "--columns") for name in ("forecast", "relabel")),
    ("forecast bewertet.csv --realised zwei.csv", "--realised zwei.csv has no column 'n' .* --realised-n"),
    ("relabel leer_r.csv", "no response has a finite reward; the first is empty"),
    ("shift zwei.csv --other laenge --truth nosuch", "--truth must be a number or a column .*'nosuch'; the "
     "columns are: 'laenge'\n"),
    ("shift zwei.csv --other nosuch", r"--other 'nosuch' is no column of the examples \('laenge'\)"),
    ("shift zwei.csv --levels 0,1", "--levels must be three or more different probabilities"),
    ("pilot scored.csv --model b", "--model 'b' is none of those in the table: a"),
    *((f"{words} ./leer_a", "leer_a.*(holds no model|lacks config.json)") for words in (
        "score zwei.csv --reward", "repair stimmung --reward-model", "rm_bench bench.json --reward-model")),
    ("score zwei.csv --reward '[demo, {reward: ./leer_a, calibration: bericht.json}]'",
     "leer_a.*(holds no model|lacks config.json)"),
    ("repair stimmung --reward-model ./nix", "--reward-model: no such folder './nix'"),
    ("watch ./leer_a,./leer_b --audits stimmung", "'leer_a' lacks config.json"),
    ("watch ./nix,./leer_b --audits stimmung", "the model './nix' is not there"),
    ("rm_bench --domains chat,cooking", "--domains must be one or more of chat, code, math, safety"),
    ("close_the_loop stimmung --benchmark ''", "--audit stimmung is of sentiment and cannot tell what "
     "--characteristic length causes: the rewrites hardly move"),
    *((LABEL + f'{{function: "regel.py:{name}"}}' + "}'", "the label function is " + says + ", and must be "
       r"f.response., f.prompt, response. or f.responses, prompts.") for name, says in (
        ("fremd", r"fremd\(answer, question\)"), ("frage", r"frage\(prompt\)"),
        ("umgekehrt", r"umgekehrt\(response, prompt\)"))),
    ("audit ein_text.csv" + SANDBOX,
     "all 30 responses are one text, “So.”: there is nothing to compare. Is `response` the right column?"),
    ("audit objekte.jsonl" + SANDBOX, r"30 of 30 rows hold an object, e.g. {'text': 'So 0, .{,70} … \(row 1"
     r"\). Write .*json_normalize\n"),
    ("audit zwei_schlecht.jsonl" + SANDBOX, r"1 of 30 rows hold an object, e.g. {'text': 'x'} \(row 5\), and "
     "1 nothing. Leave such rows out, -p \"examples.where={'response': {'matches': '.'}}\", or mend them"),
    (LABEL + "sehr}'", "no column 'sehr'.*A bare word names a column, .*{regex: 'sehr'}"),
    (LABEL + "{column: fehlt}}'", "no column 'fehlt'; besides its texts it has Note, geprüft. .*'fehlt'}"),
    ("audit --config klammer.yaml --plan", "line 2: put the instruction in quotes, or .* {W}"),
    ("audit --config dollar.yaml --plan", r"`prices` in dollar.yaml must be {model: \[prompt, comp"
     r"letion\]}, .*numbers such as 0.1, not '\$0.10'"),
    ("audit teil.csv" + SANDBOX, "to split numbers, .*`attribute.label: {column: old_w, above: median}`"),
    ("calibrate ja.csv", "`preferred` must be 0 or 1, .*: write 1 for the preferred response and 0 for"),
    *((f"{name} https://example.com/a.csv", "is an address: download the file first") for name in (
        "audit" + SANDBOX, "calibrate", "init")),
    ("probe ok.yaml --to nodir/t.csv", "no such folder 'nodir'; make it first"),
    ("levels texte.csv --levels '{name: length}' --rewriter m --reward demo", "e.g. {name: length, targets"),
    (PLAN + "--api-key sk-abc", "it comes from .OPENAI_API_KEY, .* -p rewriter.api_key_env=NAME names$"),
    ("--api-key=sk-abc audit", "can be read by others: it comes from .OPENAI_API_KEY"),
    *((f"audit --config ok.yaml --plan -p 'reward={{{said}}}'",
       r'--reward-model must be {function: "taste.py:score"} for a function of a file') for said in (
        'type: function, path: "taste.py:score"', 'path: "taste.py:score"', 'model: "taste.py:score"')),
    (PLAN + "-p 'reward={type: judge, model: m}'", "type.* is not known here; did you mean 'kind'"),
    (PLAN + "--reward-model spaeter.py:ascore", "'ascore' is an async function: write def"),
    *((f"calibrate noten.csv --columns '{{reward: Note}}' --characteristic Länge --method {method} {said}",
       f"{said.split()[0]} is not used by --method {method}; it belongs to {of}") for said, method, of in (
        ("--alpha .1", "auto", "penalty, rc-lwr-penalty"), ("--distance 9", "auto", "rc-mean"),
        ("--min-count 5", "rc-lwr", "rc-mean"), ("--frac .5", "penalty", "auto"),
        ("--it 1", "penalty", "auto, rc-lwr, rc-lwr-paper, rc-lwr-penalty, joint, additive"))),
    ("relabel bewertet.csv --characteristic length --alpha .1",
     "--alpha is not used by --method auto; it belongs to penalty, rc-lwr-penalty"),
    ("batch attribute.yaml --check", r"put the list under `grid:`, grid: {attribute: \[length, sentiment\]}"),
    ("batch zwei_a.yaml --check", r"put the list under `grid:`, grid: {attribute: \[length, sentiment\]}"),
    ("batch zwei_g.yaml --check", r"has none: write `attribute: \[length, sentiment\]`"),
    (PLAN + "-p 'prices={my-model: 0.10}'", r"--prices of my-model must be \[prompt, .*not 0.1"),
]


@pytest.mark.parametrize("words, says", MISTAKES, ids=lambda v: v[:40])
def test_a_mistake_is_answered_by_what_to_do(words, says, desk, monkeypatch, capsys):
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: pytest.fail("a kernel was started"))
    before = sorted(desk.rglob("*"))
    try:
        code = cli.main(shlex.split(words))
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    assert code == 2 and re.search(says, said.err + said.out, re.S), said
    assert not re.search(r"Traceback|load_examples\(", said.err) and said.err.count("\n") < 9
    assert sorted(desk.rglob("*")) == before


def test_a_key_that_was_typed_is_not_printed(capsys):
    for words in (PLAN + "--api-key sk-abc", "--api-key=sk-abc audit"):
        with pytest.raises(SystemExit):
            cli.main(shlex.split(words))
        assert "sk-abc" not in "".join(capsys.readouterr())


def test_wrong_kinds_of_arguments_in_python_are_named(desk):
    texts = load_examples("texte.csv", columns=dict(prompt="Frage", response="Antwort"))
    def made(**said): return Audit(texts, "length", lambda p, t, w: t, len, "r", **said)
    audit = made()
    for call, says in ((lambda: Design(instruction=5), "`instruction` must be a text with {W}"),
                       (lambda: made(store=5), "`store` must be a `Store`, or the path of its file"),
                       (lambda: audit.report(5), "`path` must be the path of a .html or .pdf"),
                       (lambda: audit.diagnose("x"), "`calibrator` must be a calibrator")):
        with pytest.raises(InputError, match=says):
            call()


def test_a_plan_names_every_key_that_a_run_needs(desk, monkeypatch):
    monkeypatch.setenv("MY_KEY", "k")
    judge = "{kind: judge, model: m, base_url: 'http://127.0.0.1:9/v1', api_key_env: NO_KEY}"
    reward = 'reward: {url: "http://127.0.0.1:9/score", wire: plain'
    for said in (OK.replace(reward, reward + ", api_key_env: NO_KEY"),
                 OK.replace(reward + "}", f"reward: {judge}")):
        notes = Audit.from_config(yaml.safe_load(said) | dict(run_dir="r"), plan=True).plan().notes
        assert any("`reward`: set the environment variable NO_KEY" in n for n in notes), notes


def test_a_reward_without_any_number_is_no_result(desk, capsys):
    Path("nichts.py").write_text("def score(prompts, responses): return [None]*len(responses)", "utf-8")
    assert cli.main(shlex.split("score zwei.csv --reward nichts.py:score --run-dir s")) == 2
    assert "score gave no response a finite number" in capsys.readouterr().err
    assert not Path("s", "scores.parquet").exists()


def test_a_key_that_is_refused_is_named(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-wrong")
    with Sandbox(api_key="sk-right") as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key_env="MY_KEY")
        examples = TextWorld("length").examples(2, np.random.default_rng(0))
        with pytest.raises(RateError, match="it refuses the API key .*; it is the key in MY_KEY"):
            double_rewrite(examples, "length", rewriter)


def test_items_of_a_list_stay_on_lines_of_their_own():
    assert cli._wrapped("To decide them:\n- compliance\n- review").splitlines() == [
        "To decide them:", "- compliance", "- review"]


def test_a_table_of_scores_is_no_demo(desk, monkeypatch, capsys):
    monkeypatch.setattr(cli, "check_inputs", lambda *_, **__: None)
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: sys.exit(0))
    for words, says in (("rm_bench --scores mine", "Running rm_bench into"),
                        ("rm_bench", "on its demo into")):
        with pytest.raises(SystemExit):
            cli.main(shlex.split(f"{words} --run-dir r"))
        assert says in capsys.readouterr().err


def test_the_instruction_of_ones_own_attribute_can_be_uncommented(desk):
    text = starter("paare.csv")[0]
    line = next(line for line in text.splitlines() if "instruction:" in line)
    said = yaml.safe_load(line.lstrip("# "))
    assert said["instruction"].startswith("Adjust this response so it's {W}") and "or untreated" in line
    own = dict(name="tone", treated="kind", untreated="rude", label=dict(regex="a"), **said)
    said = dict(examples="paare.csv", reward="demo", rewriter="sandbox", attribute=own)
    assert not specification_faults(said)[1]


def test_a_tilde_is_the_home_folder(desk, monkeypatch):
    monkeypatch.setenv("HOME", str(desk))
    seen = []
    monkeypatch.setattr(cli, "run_notebook", lambda *given, **_: seen.append(given) or sys.exit(0))
    for words in ("audit --plan --examples=~/bewertet.csv --run-dir=~/r --store=~/s.sqlite" + SANDBOX,
                  "calibrate --scores=~/komma.csv --run-dir=~/c"):
        with suppress(SystemExit):
            cli.main(shlex.split(words))
    assert seen[0][2]["run_dir"] == str(desk / "r") and seen[0][2]["store"] == str(desk / "s.sqlite")
    said = dict(examples=dict(source="~/bewertet.csv"), reward="~/taste.py:score", rewriter="sandbox")
    read = read_specification(said | dict(run_dir="~/x", store="~/s.sqlite"))
    assert (read.run_dir, read.store) == (str(desk / "x"), str(desk / "s.sqlite"))
    audit = Audit(load_examples("~/bewertet.csv"), "length", lambda p, t, w: t, len, "~/y",
                  store="~/s.sqlite")
    assert (audit.run_dir, audit.store.path) == (desk / "y", desk / "s.sqlite")
    Store("~/z.sqlite").close()
    assert Path("z.sqlite").is_file() and not Path("~").exists()


@pytest.mark.parametrize("flags, named", [
    ((), "Give `prices` in ok.yaml: {"), (("prices",), "Give `--prices`: {")])
def test_the_price_that_lacks_is_a_key_of_the_file_that_was_given(flags, named, desk):
    args = SimpleNamespace(sources=("ok.yaml", yaml.safe_load(OK), flags), run_values=yaml.safe_load(OK))
    assert named in cli._remedies_in_flags("no price is known. Give `prices`: {'m': [1, 2]}", args)


def test_a_reward_that_keeps_something_between_calls_is_not_called_noise(capsys):
    said = dict(findings=[dict(check="scored twice", verdict="fails", finding="")])
    for apart, words in (.1, "A random reward"), (3., "does it keep something from earlier calls"):
        moved = {"scored twice": .5, "in any order": apart}
        _look_at(SimpleNamespace(name="taste"), said | dict(moved=moved), False)
        out = capsys.readouterr().out
        assert words in out and out.count("warning") == 1


def test_a_variable_in_a_path_is_what_it_stands_for(desk, monkeypatch):
    monkeypatch.setenv("ORT", str(desk))
    Path("ort.yaml").write_text(OK + "run_dir: $ORT/x\nstore: ${ORT}/s.sqlite", encoding="utf-8")
    said = read_specification("ort.yaml")
    assert [said.run_dir, said.store] == [f"{desk}/x", f"{desk}/s.sqlite"]


def test_null_counts_as_a_value_of_a_field(desk, monkeypatch):
    seen = []
    monkeypatch.setattr(cli, "run_notebook", lambda *given, **_: seen.append(given[2]) or sys.exit(0))
    with pytest.raises(SystemExit):
        cli.main(shlex.split(PLAN + "-p rewriter.seed=null -p rewriter.max_tokens=null"))
    rewriter = read_specification(layered(seen[0])).rewriter
    assert {"seed", "max_tokens"} <= rewriter.model_fields_set
    assert rewriter.seed is None and rewriter.max_tokens is None


@pytest.mark.parametrize("name, says", [
    ("immer", "label function 'regel.py:immer' finds every one of the 40 responses"),
    ("alle", r"must give True, False or None; it gave 'ja', 'ja', 'ja', …$"),
    ("eine", r"it gave \['sehr', .{,80} …; it was called with one text .*write f\(resp"),
    ("gut", "")])
def test_what_a_label_function_gives_is_read_before_the_plan(name, says, desk):
    texts = dict(source="texte.csv", columns=dict(prompt="Frage", response="Antwort"))
    asked = dict(examples=texts, rewriter=dict(model="m", base_url="http://127.0.0.1:9/v1"),
                 reward="taste.py:score", run_dir="r", attribute=dict(
                     name="tone", treated="kind", untreated="rude", label=dict(function=f"regel.py:{name}")))
    if says:
        with pytest.raises(InputError, match=says):
            Audit.from_config(asked).plan()
    else:
        audit = Audit.from_config(asked)
        assert audit.inputs.examples.w.tolist() == ["sehr" in r for r in audit.inputs.examples.response]
        assert any("40 labels come from function gut" in note for note in audit.plan().notes)


def test_the_advice_on_rows_without_text_can_be_pasted(desk, monkeypatch, capsys):
    monkeypatch.setattr(cli, "run_notebook", lambda *given, **_: sys.exit(0))
    asked = "audit zwei_schlecht.jsonl --plan" + SANDBOX
    assert cli.main(shlex.split(asked)) == 2
    advice = re.search('-p ".*"', capsys.readouterr().err)[0]
    with pytest.raises(SystemExit) as end:
        cli.main(shlex.split(f"{asked} {advice}"))
    assert end.value.code == 0
    rows = map(json.loads, Path("objekte.jsonl").read_text(encoding="utf-8").splitlines())
    pd.json_normalize([*rows]).to_csv("flach.csv", index=False)
    assert cli.main(["init", "flach.csv", "--response", "response.text"]) == 0


def test_a_grid_varies_a_file(desk):
    "Which is read as it is, but for its folder"
    Path("audit.yaml").write_text(OK + "run_dir: audits/mine\ndraws: 3\nbudget: 2\n", encoding="utf-8")
    grid = read_grid(dict(parameters="audit.yaml", grid=dict(draws=[1, 2])))
    assert not grid.rejected and [r.values["draws"] for r in grid.good] == [1, 2]
    assert all(r.values["budget"] == 2 and "run_dir" not in r.values for r in grid.good)
    pasted = read_grid(dict(parameters="audit.yaml", runs=[dict(draws=1), dict(draws=2)]))
    assert [r.id.split("-")[-1] for r in pasted.good] == [r.id.split("-")[-1] for r in grid.good]


def run_that_fails(folder, monkeypatch, paid):
    "A shipped run that finds its input wrong, before or after something was paid for"
    source = f'''from pathlib import Path
from rate_nb.base.core import InputError
from rate_nb.base.store import Store
store = Store(Path(run_dir) / "store.sqlite")
{"store.put_many('rewrite', {'a': dict(text='A')})" if paid else ""}
store.close()
raise InputError("`numbers` holds no numbers")'''
    cells = [new_code_cell('numbers: str = "" # a file\nrun_dir: str = "runs/total" # folder',
                           metadata=dict(tags=["parameters"])), new_code_cell(source)]
    kernel = dict(kernelspec=dict(name="python3", display_name="python3", language="python"))
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / "total.ipynb")
    monkeypatch.setattr(cli, "run_notebooks", lambda: dict(total=folder / "total.ipynb"))
    real = cli._run_commands
    monkeypatch.setattr(cli, "_run_commands", lambda: (j for j in real() if j[1] == "total"))


@pytest.mark.parametrize("paid", [False, True])
def test_wrong_input_leaves_nothing_but_what_was_paid_for(paid, tmp_path, monkeypatch, capsys):
    run_that_fails(tmp_path, monkeypatch, paid)
    assert cli.main(["total", "x.txt", "--run-dir", str(tmp_path / "new" / "run")]) == 2
    said = capsys.readouterr().err
    assert "--numbers holds no numbers" in said and ".ipynb" not in said
    assert (tmp_path / "new" / "run" / "store.sqlite").exists() == (tmp_path / "new").exists() == paid
    assert not [*tmp_path.rglob("*.failed.ipynb")]
    if paid:
        assert len(Store(tmp_path / "new" / "run" / "store.sqlite")) == 1


def test_mistakes_in_python_are_answered_by_what_to_do(desk, capsys):
    "And a step whose name does not say that it pays says how many calls it makes"
    audit = Audit.from_config(dict(examples=dict(source="texte.csv", columns=dict(
        prompt="Frage", response="Antwort")), attribute="length", rewriter="sandbox", reward="taste.py:score",
        run_dir="neu"))
    section = dict(model="m", base_url="http://127.0.0.1:9/v1")
    for wrong, says in (
            (lambda: audit.calibrate(method="rc-lwr"), "'method'; it takes calibrator, fit_on"),
            (lambda: audit.review(n=40), r"'n'; it takes filled, confirm; pairs .* Audit\(…, review=40\)"),
            (lambda: load_reward_model(len), r"A function is a reward as it is: Audit\(…, score, …\)"),
            (lambda: audit.plan(budget=5), r"Audit\(…, budget=…\) takes it"),
            (lambda: Effects(pd.DataFrame()), r"estimate_effects\(table\) makes one"),
            (lambda: calibrate_scores("noten.csv"), r"DataFrame, got str; rate_nb.calibration.load_scores\("),
            (lambda: calibrate_scores(load_scores("noten.csv", columns=dict(reward="Note")), "length"),
             "must be a calibrator, such as .* is characteristic='length'"),
            (lambda: Attribute("apology", "with", "without", "Write {W}.", label="sorry"),
             r"`label` of .* must be a function f\(response\), not 'sorry'; a mapping such as {regex"),
            (lambda: diagnose("neu"), r"Audit.from_config\('RUN_DIR/audit.yaml'\).diagnose"),
            (lambda: Audit("zwei.csv", "length", section, len, "x"), "section .* e.g. OpenAIRewriter")):
        with pytest.raises((InputError, SchemaError), match=says):
            wrong()
    assert "calls to" not in capsys.readouterr().err
    audit.diagnose()
    audit.calibrate()
    calls = re.findall("nothing is run yet: about (.*) calls to (.*) now", capsys.readouterr().err)
    assert calls == [("10", "sandbox-rewriter")] # of 40 rows, whose texts are shared


def test_columns_of_other_names_are_calibrated(desk, capsys):
    argv = ["calibrate", "noten.csv", "--columns", "{reward: Note, prompt: Frage, response: Antwort}",
            "--characteristic", "Länge", "--run-dir", "c", "--replicates", "0", "--quiet"]
    assert cli.main(argv) == 0
    made = pd.read_csv("c/calibrated.csv")
    assert {"reward", "prompt", "response", "Länge", "calibrated"} <= set(made) and len(made) == 40
    assert abs(made.calibrated.corr(made["Länge"])) < abs(made.reward.corr(made["Länge"])) + .05




def test_a_reward_that_crashes_is_answered_by_its_line(desk):
    Path("kaputt.py").write_text("import json\ndef score(prompts, responses):\n"
                                 "    return [len(r.split) for r in responses]\n"
                                 "def deep(prompts, responses):\n    return json.loads('no')\n")
    for name, said in (("score", r"TypeError: object of type .* has no len\(\) \(kaputt.py, line 3\)"),
                       ("deep", r"JSONDecodeError: Expecting value.* \(kaputt.py, line 5\)")):
        with pytest.raises(ModelError, match=rf"{said}; the response is '\d'\. Mend it first"):
            try_reward(load_function(f"kaputt.py:{name}"), ["Was?"]*9, [str(i) for i in range(9)])


def test_a_reward_without_numbers_is_answered_by_its_texts(desk):
    "How many, which, and what to do; from an audit the examples have their own names"
    score = CallableReward("halb", lambda p, r: [float("nan") if "rot" in x else float(len(x)) for x in r])
    rows = pd.DataFrame(dict(prompt="Was?", response=[f"{'rot' if i else 'blau'} {'x'*i}" for i in range(9)]))
    with pytest.raises(ModelError, match=r"to 7 of 8 originals.*: examples 1 \(“rot x”\), 2 .*, 3 .*, …\. "
                       "Score one of them by itself.*or leave these rows out of the file$"):
        try_reward(score, rows.prompt.tolist(), rows.response.tolist())
    examples = load_examples(rows.assign(example_id=[f"id{i}" for i in range(9)]))
    audit = Audit(examples, "length", lambda p, t, w: t, score, "nan")
    with pytest.raises(ModelError, match=r"'id\d' \(“rot x+”\)"):
        audit.report()


@pytest.mark.parametrize("fn, says", [
    (lambda a, b: [float(len(x)) for x in a], "reads the prompt alone: 8 originals .* in this order"),
    (lambda a, b: [10.**(99 + len(x)) for x in b], r"gives 1e\+\d+ to an original, .* below 1e100")])
def test_a_reward_that_reads_the_prompt_or_knows_no_measure_is_refused_before_a_rewrite(fn, says):
    with pytest.raises(ModelError, match=says):
        try_reward(fn, [f"Was{'?'*i}" for i in range(9)], [f"So{'.'*i}" for i in range(9)])


def test_a_function_that_fails_later_or_has_changed_is_named(desk):
    texts = load_examples(pd.DataFrame(dict(prompt="Was?", response=[f"So{'o'*i}." for i in range(20)])))
    fails = CallableReward("spät", lambda p, r: [1/(len(x) - 20) for x in r], key="1", batch_size=4)
    said = r"'spät' fails on a text: ZeroDivisionError.*\); the response is 'So{18}\.'\. Mend it"
    with pytest.raises(ModelError, match=said):
        score_rewrites(texts, None, fails, progress=False)
    def run(folder, factor):
        of = CallableReward("r", lambda p, r: [factor*len(x) for x in r], key="1")
        return Audit(texts, "length", lambda p, t, w: f"{t} So."*(1 + w), of, folder,
                     store="werte.sqlite").score()
    run("eins", 1.)
    run("zwei", 1.)
    with pytest.raises(ModelError, match="function seems to have changed. Give it another `key`"):
        run("drei", 3.)


def test_what_python_takes_is_answered_before_anything_runs(desk):
    "Misspelt arguments, settings that are none, functions of another kind"
    world = TextWorld("length")
    texts, asked = world.examples(30, np.random.default_rng(0)), []
    def reward(prompts, responses): return asked.append(1) or [float(len(r)) for r in responses]
    def audit(rewriter=world.rewriter, reward=reward, **more):
        return Audit(texts, "length", rewriter, reward, "run", **more)
    def fails(prompt, text, target): raise OSError("no such model")
    def other_order(text, prompt, target): return text
    async def later(prompts, responses): return [1.]*len(responses)
    def one_by_one(prompts, responses): yield from responses
    for wrong, said in (
            (lambda: audit(drws=2), "Audit has no argument 'drws'; did you mean 'draws'?"),
            (lambda: Design(chek=3), "Design has no argument 'chek'; did you mean 'check'?"),
            (lambda: audit().diagnose(margn=.2), "no argument 'margn'; did you mean 'margin'"),
            (lambda: Audit("length", "texte.csv", world.rewriter, reward, "run"),
             "the examples are the first argument"),
            (lambda: Audit(dict(prompt=["a"], response=["b"]), "length", world.rewriter, reward, "run"),
             "make a table of them, pandas.DataFrame(source)"),
            (lambda: audit(OpenAIRewriter), "make one, e.g. OpenAIRewriter("),
            (lambda: audit(reward=1.5), "give the function that makes them"),
            (lambda: audit(prices={}), "Design(…, prices=…) takes it"),
            (lambda: audit(columns={}), "load_examples(…, columns=…) takes it"),
            (lambda: audit(other_order), "prompt, text and target, in this order: exchange them"),
            (lambda: audit(lambda text, target, prompt: text), "in this order: exchange them")):
        with pytest.raises(InputError, match=re.escape(said)):
            wrong()
    with pytest.raises(AttributeError):
        audit().draws = 2
    assert not asked
    with pytest.raises(UnusableRewritesError, match="none of 30 rewrites .*OSError: no such model"):
        audit(fails).effects()
    with pytest.raises(UnusableRewritesError, match="none of 30 rewrites .*returned NoneType, not text"):
        audit(lambda prompt, text, target: None).effects()
    for function in (later, one_by_one):
        with pytest.raises(InputError, match="is an async function or yields"):
            try_reward(function, ["Was?"]*9, [str(i) for i in range(9)])


def test_fields_inside_of_a_column_are_named(desk):
    rows = [dict(id=i, item=dict(frage=f"Was ist {i}?", antwort=f"Es ist {i}.")) for i in range(9)]
    Path("tief.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(InputError, match="'item' holds a record with 'frage', 'antwort'.*json_normalize"):
        starter("tief.jsonl")


def test_a_table_without_names_is_no_table(desk):
    "The first row would be lost, and the prompts with it"
    Path("ohne.csv").write_text("\n".join(f"Was ist {i}?,Es ist {i}." for i in range(30)), encoding="utf-8")
    with pytest.raises(InputError, match="first line of ohne.csv looks like data .*prompt,response above it"):
        starter("ohne.csv")


def test_columns_of_objects_are_no_hindrance(desk):
    "And texts in each other's place are no clusters"
    rows = [dict(prompt=f"Was {i}?", response=f"So ist es, {i//2}.", meta=dict(land="DE"), tags=["a"])
            for i in range(30)]
    Path("objekte.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert not [s for s in starter("objekte.jsonl")[1] if "joins" in s]


def test_a_column_that_joins_prompts_is_named(desk):
    "One question in several wordings: its number is the cluster"
    rows = pd.DataFrame(dict(question_no=np.arange(120)//4,
                             question=[f"Was ist {i//2}?" for i in range(120)],
                             answer=[f"Es ist {i}, und so." for i in range(120)], land=["DE", "AT"]*60))
    rows.to_csv("fragen.csv", index=False)
    text, seen = starter("fragen.csv")
    said = [s for s in seen if "joins" in s]
    assert len(said) == 1 and "joins the 60 prompts into 30" in said[0]
    assert "`cluster: question_no`" in said[0] and said[0] in text


def test_a_pattern_that_finds_none_is_refused_in_python_too():
    texts = pd.DataFrame(dict(prompt="Was?", response=["So.", "So ist es."]*5))
    asked = dict(examples=texts, rewriter="sandbox", reward="demo")
    for regex, found in (("zebra", "none"), (".", "every one")):
        rule = dict(name="tone", treated="kind", untreated="rude", label=dict(regex=regex))
        with pytest.raises(InputError, match=f"finds {found} of the 10 responses"):
            Audit.from_config(asked | dict(attribute=rule), plan=True)


def test_a_forecast_with_an_audit_of_something_else_says_so(desk):
    world = TextWorld("sentiment")
    examples = world.examples(40, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    taste = CallableReward("taste", world.reward, key="1")
    rewards = score_rewrites(examples, rewrites, taste, progress=False)
    candidates = pd.DataFrame(dict(prompt_id=[i//4 for i in range(40)], prompt="Was?", reward=range(40),
                                   response=["So."]*40))
    made = without_effect(candidates, examples, rewrites, rewards, "sentiment")
    notes = forecast(made, "length", calibrated="calibrated").notes
    assert any("the audit is of sentiment, so its effect is taken out, and not that of 'length'" in n
               for n in notes)
    assert "no candidate differs from another in sentiment" in made.attrs["calibration"][0]


def test_a_workbook_by_another_name_is_called_one(desk):
    Path("buch.csv").write_bytes(b"PK\3\4" + bytes(40))
    with pytest.raises(InputError, match="is an Excel workbook, or another zip archive: save it as CSV"):
        starter("buch.csv")


def test_columns_in_each_others_place_are_noted():
    rows = pd.DataFrame(dict(prompt=[f"Es ist {i}." for i in range(30)],
                             response=[f"Was {i}?" for i in range(30)]))
    asked = dict(attribute="length", rewriter="sandbox", reward="demo")
    right = rows.rename(columns=dict(prompt="response", response="prompt"))
    for table, told in ((rows, True), (right, False)):
        notes = Audit.from_config(asked | dict(examples=table), plan=True).plan().notes
        assert any("columns of prompt and response exchanged?" in n for n in notes) == told


def test_names_of_another_form_are_answered_by_what_to_write(desk):
    texts = pd.DataFrame(dict(prompt="Was?", response=["So.", "So ist es."], w=[0, 1]))
    with pytest.raises(InputError, match=r"endpoint is OpenAIRewriter\('bot'\)"):
        Audit(texts, "length", "bot", len, "run")
    with pytest.raises(InputError, match="sandbox is for Audit.from_config"):
        Audit(texts, "length", "sandbox", len, "run")
    with pytest.raises(InputError, match=r"is f\(p, t\), and must be f\(prompt, text, target\)"):
        Audit(texts, "length", lambda p, t: t, len, "run")
    with pytest.raises(InputError, match="takes the name first"):
        CallableReward(len, "length")
    audit = Audit(texts, "length", lambda p, t, w: t, len, "run")
    with pytest.raises(InputError, match="What is taken out is characteristic="):
        audit.calibrate("lenght")
    for path in ("bericht.docx", "mine"):
        with pytest.raises(InputError, match="must be a file that ends in .html or .pdf"):
            audit.report(path)
    with pytest.raises(InputError, match="import it, and give the function"):
        Audit(texts, "length", lambda p, t, w: t, "taste.py:score", "run")
    for name, meant in dict(base_ur="base_url", temprature="temperature", url="base_url").items():
        with pytest.raises(InputError, match=f"no argument '{name}'; did you mean '{meant}'"):
            OpenAIRewriter("m", **{name: "x"}) # which would send the texts to OpenAI
    for field in ("top_p", "min_p", "max_completion_tokens", "extra_body"): # of a request
        assert OpenAIRewriter("m", **{field: {}}).extra == {field: {}}


def test_the_rows_of_a_json_file_may_stand_under_one_key(desk, capsys):
    rows = [dict(prompt=f"Was ist {i}?", response=f"Es ist {i}.", reward=i*37 % 11) for i in range(20)]
    Path("rows.json").write_text(json.dumps(dict(version="1.0", data=rows)), encoding="utf-8")
    read = load_examples("rows.json")
    assert read.response.tolist() == [r["response"] for r in rows]
    assert "rows.json: the rows are the list under 'data'" in read.attrs["read"]
    assert load_scores("rows.json").reward.tolist() == [r["reward"] for r in rows]
    assert cli.main(["init", "rows.json", "--to", "rows.yaml"]) == 0
    assert "the rows are the list under 'data'" in capsys.readouterr().out


def test_files_of_another_kind_are_answered_by_what_they_lack(desk):
    with pytest.raises(SchemaError, match="`ballot` writes a file of pairs to fill in.*example_id, choice"):
        read_votes("noten.csv")
    with pytest.raises(InputError, match="did you mean 'length'"):
        attribute_values(pd.DataFrame(dict(response=["a"])), "lenght")


def test_candidates_of_other_names_are_relabelled(desk):
    theirs = dict(reward="score", prompt="question", response="answer")
    rows = pd.DataFrame([dict(prompt=f"{i//4:03}", response=["NA", "007", "x"*(10 + 7*i % 90)][min(i % 5, 2)],
                              reward=i*37 % 11) for i in range(80)]) # texts that look like something else
    rows.to_csv("ours.csv", index=False)
    rows.rename(columns=theirs).to_csv("theirs.csv", index=False)
    made = [relabel_file(f"{name}.csv", name, LengthPenalty(.01), columns=columns)
            for name, columns in (("ours", None), ("theirs", theirs))]
    assert made[0].flips == made[1].flips
    assert load_scores("theirs.csv", theirs)[[*theirs]].equals(load_scores("ours.csv")[[*theirs]])
    assert Path("ours/relabelled.jsonl").read_text() == Path("theirs/relabelled.jsonl").read_text() != ""


@pytest.mark.parametrize("prompts, responses, noted", [
    (["Weil es immer so war."], ["Warum ist es so?"], True),
    (["Ein langer Text, und noch einer dazu, und noch einer."], ["Kurz."], True), # or a text and its summary
    (["Warum ist es so?"], ["Weil es so ist. Mehr ist dazu nicht zu sagen."], False),
    (["Nenne drei Farben."], ["Rot, grün und blau. Möchten Sie mehr?"], False),
    (["Schreibe eine Frage."], ["Wie geht es?"], True), # a note, no refusal
    (["Sag etwas.", "Was?"], ["Ja?", "Ja."], False),
])
def test_a_prompt_that_looks_like_a_response_is_noted(prompts, responses, noted, desk, capsys):
    pd.DataFrame(dict(a=prompts, b=responses)).to_csv("paar.csv", index=False)
    assert cli.main(["init", "paar.csv", "--prompt", "a", "--response", "b", "--to", "paar.yaml"]) == 0
    said = capsys.readouterr().out
    note = "If the two columns are swapped, exchange their names in `columns`"
    assert (note in said) == noted, said
    assert cli.main(["audit", "--config", "paar.yaml", "--plan"]) == 0
    said = " ".join(capsys.readouterr().out.split()) # and before anything is paid
    assert (note.replace("`columns`", "`examples.columns` in paar.yaml") in said) == noted, said


def test_what_there_is_not_enough_of_is_said(desk, capsys):
    pd.DataFrame(dict(prompt=["Warum?", "Wie?"], response=["Darum.", "So."])).to_csv("paar.csv", index=False)
    command = ["audit", "paar.csv", "--attribute", "length", "-p", "rewriter=sandbox", "-p", "reward=demo"]
    assert cli.main([*command, "--n", "500", "--plan"]) == 0
    assert "all 2 examples taken: `--n` asks for 500, and there are no more" in capsys.readouterr().out
    assert cli.main([*command, "-p", "review=5000", "--plan"]) == 0
    assert "`--review` asks for 5,000, and there are no more" in " ".join(capsys.readouterr().out.split())
    assert cli.main([*command, "--store", "audits/mien/store.sqlite", "--plan"]) == 0
    assert "mien/store.sqlite is empty: nothing of earlier runs" in " ".join(capsys.readouterr().out.split())


def test_a_missing_key_costs_no_score_and_is_needed_for_new_rewrites_alone(desk):
    scored = []
    def reward(prompts, responses):
        scored.extend(responses)
        return [len(r) / 9 for r in responses]
    examples = pd.DataFrame(dict(example_id=list("abcdef"), prompt_id=list("aabbcc"), prompt="Say.",
                                 response=["xy" * k for k in (1, 2, 3, 4, 5, 6)], w=[0, 1] * 3))
    with Sandbox() as box:
        def audit(folder, **key):
            rewriter = OpenAIRewriter(box.model, box.base_url, **key)
            return Audit(examples, "length", rewriter, reward, folder, store="rewrites.sqlite")
        with pytest.raises(InputError, match="environment variable NO_KEY"):
            audit("none", api_key_env="NO_KEY").effects()
        assert not scored and not box.requests
        audit("once", api_key=lambda: "sandbox").rewrite()
        assert len(audit("again", api_key_env="NO_KEY").rewrite()) == 12


def test_a_warning_names_no_line_of_our_code(monkeypatch):
    monkeypatch.setattr(warnings, "formatwarning", warnings.formatwarning) # put back
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(cli, "main", lambda: 0)
    with pytest.raises(SystemExit):
        start()
    said = warnings.formatwarning(UserWarning("all scores are equal"), UserWarning, "remote.py", 3)
    assert said == "rate_nb: all scores are equal\n"


def scored(names, rng, n=40): # a scored table of noise
    more = {f"reward_{which}": rng.normal(size=(len(names), n)).ravel()
            for which in ("original", "rewrite", "rewrite_of_rewrite")}
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)]*len(names),
                             prompt_id=[f"p{i // 2}" for i in range(n)]*len(names), draw=0,
                             model=np.repeat(names, n), w=[0, 1]*(n//2*len(names)), **more))


def test_compare_takes_names_that_hold_commas(desk, monkeypatch, capsys):
    "That of a calibrated reward does; what did not pass in a folder is repeated"
    rng = np.random.default_rng(0)
    for run, names in dict(after=["X", "X, causal calibration"], before=["X", "facts"]).items():
        Path(run).mkdir()
        scored(names, rng).to_parquet(Path(run, "scored.parquet"))
        claims = [(name, "rewriter's style", dict(facts="failed").get(name, "passed")) for name in names]
        claims = pd.DataFrame(claims, columns=["model", "claim", "verdict"])
        claims.to_csv(Path(run, "claims.csv"), index=False)
    path = run_notebooks()["compare"]
    read = dict(first="after", against="before")
    check_inputs(path, read | dict(models="X,causal calibration, facts"))
    check_inputs(path, read)
    with pytest.raises(InputError, match=r"first` \('X', 'X, causal calibration'\) and one of `against`"):
        check_inputs(path, read | dict(models="causal calibration,facts"))
    two = "X, causal calibration,facts"
    assert cli.main(["compare", "after", "--against", "before", "--models", two]) == 0
    said = read_json(Path("runs/compare/summary.json"))["said"]
    assert len([s for s in said if "did not pass" in s]) == 1
    assert "Claims of before that did not pass: facts failed (rewriter's style). Its report says why." in said


@pytest.mark.parametrize("price, says", [
    (dict(prompt=2., completion=10., batch_discount=0.),
     r"costs \$0.004 at the price of that audit, \$2.00 in"),
    (dict(prompt=0., completion=0., batch_discount=0.), "A chain costs nothing: designs"),
    (None, "What a chain costs is unknown"),
])
def test_a_pilot_is_priced_as_its_audit_was(price, says, desk):
    table, run = scored(["X"], np.random.default_rng(0)), Path("run")
    run.mkdir()
    table.to_parquet(run / "scored.parquet")
    calls = pd.DataFrame(dict(example_id=np.repeat(table.example_id, 2), draw=0, depth=[1, 2]*40,
                              target_w=[0, 1]*40, instruction_id="i", text="t", status="ok", model="mine",
                              prompt_tokens=500, completion_tokens=100, key=[f"k{i}" for i in range(80)]))
    calls.to_parquet(run / "rewrites.parquet")
    (run / "manifest.json").write_text(json.dumps(dict(audit={}, price=price)), encoding="utf-8")
    assert cli.main(["pilot", "run", "--quiet"]) == 0
    summary = read_json(Path("runs/pilot/summary.json"))
    assert re.search(says, " ".join(summary["said"])), summary["said"]
    assert bool(summary["dollars"]) == bool(price and price["prompt"])
    if summary["dollars"]:
        assert np.isclose(summary["dollars_chain"], .004)


def test_what_the_guide_says_in_python_runs(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "guide" / "audit.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"```python\n(.*?\n)(.*?)```", page, re.S))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    shutil.copy(ROOT / "docs" / "examples" / "responses.csv", "texts.csv")
    Path("score.py").write_text(blocks.pop("# score.py\n"), encoding="utf-8")
    assert "messages" in blocks.pop("# sent.py\n") # a command of the page runs it
    names = []
    for first, rest in blocks.items():
        said = {}
        exec(first + rest, said)
        names += [m.name for m in said["audit"].models]
        assert said["audit"].inputs.both
        said["audit"].close()
        if said["audit"].services:
            said["audit"].services.close()
    assert names == ["long", "helpfulness"] and len(said["audit"].plan().steps)


def test_a_section_of_a_file_is_no_reward_in_python(tmp_path):
    texts = ROOT / "docs" / "examples" / "responses.csv"
    for made in (load_reward_model,
                 lambda reward: Audit(texts, "length", lambda *given: "", reward, tmp_path / "run")):
        with pytest.raises(InputError, match="Audit.from_config.*HTTPReward"):
            made({"url": "http://127.0.0.1:9", "wire": "plain"})


class Locked(BaseHTTPRequestHandler):
    "An endpoint below /v1 that knows one key"
    def do_GET(self):
        known, there = self.headers["Authorization"] == "Bearer right", self.path == "/v1/models"
        body = json.dumps(dict(data=[dict(id="m")]) if known and there else dict(error={})).encode()
        self.send_response(200 if known and there else 404 if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_POST(self): self.server.sent.append(self.path)
    def log_message(self, *_): pass


@pytest.mark.parametrize("key, path, more, says", [
    ("wrong", "/v1", "", "refuses the API key .*; it is the key in OPENAI_API_KEY"),
    ("", "/v1", "", "wants an API key .*, and none is set: set the environment variable OPENAI_API_KEY"),
    ("right", "", "", "give the address with /v1 at its end"),
    ("right", "/v1", "--budget 1", "a --budget needs a price to count with"),
    ("right", "/v1", "--budget .000001 --prices '{m: [1, 1]}'",
     "--budget \\$0.000001 pays for no call: the one with the shortest response may cost")])
def test_an_endpoint_that_cannot_be_used_is_told_at_once(key, path, more, says, desk, monkeypatch, capsys):
    "Nothing is sent to it but the question which models it has; where all is well the run begins"
    began = []
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: began.append(1) or sys.exit(0))
    with Quiet(("127.0.0.1", 0), Locked) as server:
        server.sent = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name, at, flags in ((key, path, more), ("right", "/v1", "--budget 1 --prices '{m: [1, 1]}'")):
            monkeypatch.setenv("OPENAI_API_KEY", name)
            Path("ok.yaml").write_text(OK.replace(":9/v1", f":{server.server_port}{at}"), encoding="utf-8")
            before = sorted(desk.rglob("*"))
            with suppress(SystemExit):
                assert cli.main(shlex.split(f"audit --config ok.yaml {flags}")) == 2
            said = capsys.readouterr().err
            assert bool(began) or re.search(says, said.replace("`", "")), said
            assert bool(began) or sorted(desk.rglob("*")) == before
        server.shutdown()
    assert began == [1] and not server.sent


def test_a_key_that_a_judge_lacks_is_named_by_its_section(desk, capsys):
    with Quiet(("127.0.0.1", 0), Locked) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        more = "rewriter.base_url=sandbox", "-p", f"reward={{kind: judge, model: m, base_url: '{url}'}}"
        assert cli.main(["audit", "--config", "ok.yaml", "-p", *more]) == 2
        server.shutdown()
    assert "or name another with `reward.api_key_env`" in capsys.readouterr().err


class Listing(Locked):
    "It lists one model, and refuses others"
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.sent.append(asked["messages"])
        self.send_response(404)
        self.end_headers()
        self.wfile.write(b'{"error": {"code": "model_not_found", "message": "no"}}')


@pytest.mark.parametrize("more, model", [
    ("-p 'review={pairs: 9, reviewer: {model: n}}'", "n"),
    ("-p 'review={pairs: 9, reviewer: {model: m}, coder: {model: n2, base_url: \"URL\"}}'", "n2"),
    ("-p 'reward={kind: judge, model: n3, base_url: \"URL\"}'", "n3"),
    ("-p 'attribute={name: a, treated: b, untreated: c, label: {kind: judge, judge: "
     "{model: n4, base_url: \"URL\"}}}'", "n4"),
    ("-p rewriter.model=n5", "n5"), ("-p 'review={pairs: 0, reviewer: {model: n}}'", ""),
    ("-p 'review={pairs: 9, reviewer: {model: m}}'", "")])
def test_a_model_that_an_endpoint_does_not_list_is_told_at_once(more, model, desk, monkeypatch, capsys):
    began = []
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: began.append(1) or sys.exit(0))
    monkeypatch.setenv("OPENAI_API_KEY", "right")
    with Quiet(("127.0.0.1", 0), Listing) as server:
        server.sent = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        Path("ok.yaml").write_text(OK.replace("http://127.0.0.1:9/v1", url), encoding="utf-8")
        with suppress(SystemExit):
            assert cli.main(shlex.split(f"audit --config ok.yaml {more}".replace("URL", url))) == 2
        server.shutdown()
    said = capsys.readouterr().err
    assert bool(began) == (not model) and server.sent == [[dict(role="user", content="Hi")]]*bool(model), said
    assert not model or f"does not know the model '{model}'" in said and "Its list has 'm'." in said


@pytest.mark.parametrize("exchanged", [True, False])
def test_labels_that_the_rule_contradicts_are_noted(exchanged, desk, capsys):
    rows = [(f"Why {i}?", "It is old. " * (1 + i % 7), int(i % 7 < 3) ^ (not exchanged)) for i in range(70)]
    pd.DataFrame(rows, columns=["prompt", "response", "w"]).to_csv("eigen.csv", index=False)
    assert cli.main(shlex.split("audit eigen.csv --rewriter-model sandbox --reward-model demo --plan")) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert ("of 70 responses: are 0 and 1 exchanged?" in said) == exchanged


@pytest.mark.parametrize("treated, untreated, noted", [
    ("brief", "wordy", True), ("with fewer words", "with more words", True), ("wordy", "brief", False),
    ("plain", "ornate", False)])
def test_words_of_a_count_that_say_less_for_more_are_noted_by_the_plan(treated, untreated, noted, desk):
    attribute = make_attribute("words", treated, untreated, label=dict(characteristic="words"))
    audit = Audit(short_texts()[["prompt", "response"]], attribute, lambda prompt, text, w: text, lambda p, r:
                  [float(len(x)) for x in r], "run")
    found = [n for n in audit.plan().notes if "are `treated` and `untreated` exchanged?" in n]
    assert len(found) == noted and all(f"counts as {treated!r}" in n for n in found)


def test_a_misspelt_difference_of_a_review_is_told_at_once(desk, monkeypatch, capsys):
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: pytest.fail("a kernel was started"))
    review = dict(m=dict(tags=[dict(tag="adds a closing"), dict(tag="loses a fact")]))
    Path("mine", "audit.yaml").unlink()
    Path("mine", "review.json").write_text(json.dumps(review), encoding="utf-8")
    review = "{pairs: 9, confirm: {Adds a closing.: artefact, loses fact: attribute}}"
    Path("ok.yaml").write_text(f"{OK}run_dir: mine\nreview: {review}", encoding="utf-8")
    assert cli.main(["audit", "--config", "ok.yaml"]) == 2
    assert "did you mean 'loses a fact'?" in capsys.readouterr().err


@pytest.mark.parametrize("more, told", [
    ("", True), ("--plan", True), ("--store alt.sqlite", False), ("--run-dir gelesen", False)])
def test_a_difference_is_confirmed_where_there_is_a_review(more, told, desk, monkeypatch, capsys):
    "The reader chooses the words, which an earlier run with the same store may have stored"
    began = []
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: began.append(1) or sys.exit(0))
    monkeypatch.setattr(OpenAIRewriter, "reach", lambda self: None)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    Store("alt.sqlite").close()
    Path("gelesen").mkdir()
    Path("gelesen", "review.json").write_text('{"m": {"tags": [{"tag": "adds a closing"}]}}')
    review = "{pairs: 9, confirm: {adds a closing: artefact}}"
    Path("ok.yaml").write_text(f"{OK}review: {review}", encoding="utf-8")
    with suppress(SystemExit):
        assert cli.main(shlex.split(f"audit --config ok.yaml {more}")) == 2
    assert bool(began) != told
    assert ("no review to confirm yet" in capsys.readouterr().err) == told


def test_a_mark_may_stand_in_rewrites_that_are_stored(desk, monkeypatch, capsys):
    "Those of the run folder are read; a store of another run may hold any"
    monkeypatch.setattr(OpenAIRewriter, "reach", lambda self: None)
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: sys.exit(0))
    Store("alt.sqlite").close()
    Path("hier").mkdir()
    pd.DataFrame(dict(text=["With kind regards.", None])).to_parquet("hier/rewrites.parquet")
    for more, refused in (("", True), ("--store alt.sqlite", False), ("--run-dir hier", False)):
        with suppress(SystemExit):
            cli.main(shlex.split(f"audit --config ok.yaml --itself 'kind regards' --plan {more}"))
        assert ("no response contains it" in capsys.readouterr().err) == refused


def test_the_endpoints_are_tried_unless_the_store_is_there(desk, monkeypatch, capsys):
    began = []
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: began.append(1) or sys.exit(0))
    Path("da").mkdir()
    for more in ("--store neu.sqlite", "--run-dir da --store neu.sqlite"):
        assert cli.main(shlex.split(f"audit --config ok.yaml {more}")) == 2
        assert "nothing answers there" in capsys.readouterr().err and not began
    Store("neu.sqlite").close()
    with suppress(SystemExit):
        cli.main(shlex.split(f"audit --config ok.yaml {more}"))
    assert began


TOLD = "It is old and very worn.", "Why does it stop again?", "Both of us looked at it."


@pytest.mark.parametrize("names, guessed", [
    (("ticket", "agent_reply"), dict(prompt="ticket", response="agent_reply")),
    (("Model-Answer", "User Question", "notes"), dict(prompt="User Question", response="Model-Answer")),
    (("customer_message", "response"), dict(prompt="customer_message")),
    (("question", "answer", "reference"), dict(prompt="question", response="answer")),
    (("response", "reference"), {}),
    (("reply", "ticket", "notes"), dict(response="reply")),
    (("agent_reply", "agent_answer", "prompt"), None), (("ticket", "notes"), None), (("notes",), None),
    (("ticket_text", "agent_message", "notes"), None), (("user_question", "agent_message"), None)])
def test_init_guesses_columns_from_parts_of_their_names(names, guessed, desk, capsys):
    "Or from what is left, once it knows the response; else it proposes a command that can be typed"
    pd.DataFrame([TOLD[:len(names)]]*9, columns=names).assign(stars=3).to_csv("hilfe.csv", index=False)
    assert cli.main(["init", "hilfe.csv"]) == (2 if guessed is None else 0)
    said = capsys.readouterr()
    if guessed is None:
        assert not Path("audit.yaml").exists()
        assert all(name in said.err.split("Say ")[1] for name in {*names} - {"prompt"})
        again = re.search("`rate_nb (init .*?)`", said.err)[1]
        again = shlex.split(again.replace("COLUMN", names[0], 1).replace("COLUMN", names[-1]))
        assert cli.main(again) == 0
        return
    for ours, theirs in guessed.items():
        assert f"column {theirs!r} is the {ours}" in said.out
    written = yaml.safe_load(Path("audit.yaml").read_text(encoding="utf-8"))["examples"]
    assert (written.get("columns") or {}) == guessed


def test_init_names_the_column_that_may_hold_the_prompts(desk, capsys):
    pd.DataFrame([TOLD]*9, columns=["reply", "ticket", "notes"]).to_csv("hilfe.csv", index=False)
    assert cli.main(["init", "hilfe.csv"]) == 0
    said = capsys.readouterr().out
    again = shlex.split(re.search("`rate_nb (init .*)`", said)[1].replace("COLUMN", "ticket"))
    assert cli.main(again) == 0 and "no column holds the prompts" not in capsys.readouterr().out
    assert "prompt: ticket" in Path("audit.yaml").read_text(encoding="utf-8")


def test_what_init_proposes_of_endpoints_is_read_once_it_is_filled_in(desk, monkeypatch):
    "Addresses and keys are there to be seen, and a service of one's own is plain"
    monkeypatch.setenv("API_KEY_ENV", "a key")
    assert cli.main(["init", "texte.csv", "--prompt", "Frage", "--response", "Antwort"]) == 0
    lines = Path("audit.yaml").read_text(encoding="utf-8").splitlines()
    whole = yaml.safe_load("\n".join(lines))
    shown = [line.removeprefix("# ") for line in lines if re.match("# +(reward|rewriter|label):.*URL", line)]
    for line in shown:
        (group, section), = yaml.safe_load(re.sub(r"\b(BASE_)?URL\b", "http://127.0.0.1:9/v1", line)).items()
        if group == "label":
            group, section = "attribute", dict(name="mine", treated="a", untreated="b", label=section)
        read_specification(whole | {group: section})
    assert [yaml.safe_load(line)["reward"] for line in shown if "kind: http" in line] == [
        dict(kind="http", url="URL", wire="plain", name="NAME")]
    assert sum("base_url: BASE_URL, api_key_env: API_KEY_ENV}" in line for line in shown) == 6
    assert len(shown) == 7


def test_what_init_proposes_of_the_run_is_read_once_it_is_uncommented(desk):
    assert cli.main(["init", "texte.csv", "--prompt", "Frage", "--response", "Antwort"]) == 0
    text = Path("audit.yaml").read_text(encoding="utf-8")
    names = "draws", "depth", "both", "budget", "fail_on", "store", "review", "grading"
    shown = re.sub(rf"(?m)^# ({'|'.join(names)}): ", r"\1: ", text)
    given = yaml.safe_load(shown)
    assert {*names} <= {*given} and {*given["grading"]} == {"margin", "itself"}
    read = read_specification(given)
    assert read.review.pairs == 40 and read.grading.margin == .1
    given["grading"] |= dict(margin=.2, itself=["length"])
    assert read_specification(given).grading.margin == .2
    Path("audit.yaml").write_text(shown, encoding="utf-8")
    assert cli.main(["audit", "--config", "audit.yaml", "--plan", "--quiet"]) == 0


def test_init_names_empty_answers_and_proposes_a_name(desk, capsys):
    Path("leer.csv").write_text("prompt,response\nWas?,Das.\nWer?,\nWo?,Da.\n", encoding="utf-8")
    assert cli.main(["init", "leer.csv"]) == 0
    assert "1 response is empty and cannot be rewritten: row 2 below the header" in capsys.readouterr().out
    assert "url: URL, wire: plain, name: NAME}" in Path("audit.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name, more", [
    ("levels", dict(levels="tone")), ("prompts", dict(generator="mine.py:f")),
    ("dynamic", dict(attributes="length: 0", labels=dict(length=dict(function="mine.py:f"))))])
def test_a_look_at_the_inputs_runs_no_function_of_the_user(name, more, desk):
    "A file that loads a model would hold it twice: here, and in the kernel"
    Path("mine.py").write_text("open('ran', 'w').close()\ndef f(*given): return [1.0]*len(given[0])\n")
    examples = dict(source="texte.csv", columns=dict(prompt="Frage", response="Antwort"))
    asked = dict(examples=examples, rewriter="mine.py:f", reward="mine.py:f") | more
    check_inputs(run_notebooks()[name], asked)
    assert not Path("ran").exists() and not Path("runs").exists()
    with pytest.raises(SchemaError, match="2 columns missing: prompt, response"):
        check_inputs(run_notebooks()[name], asked | dict(examples="texte.csv"))


def short_texts(n=40):
    rows = dict(prompt=[f"Was {i//2}?" for i in range(n)],
                response=[f"So {'sehr '*(i % 7)}{i}." for i in range(n)])
    return load_examples(pd.DataFrame(rows))


HALF = {"by text": lambda p, r: [float("nan") if int(re.search(r"\d+", x)[0]) % 2 else len(x)*1. for x in r],
        "by place": lambda p, r: [float("nan") if i % 2 else len(x)*1. for i, x in enumerate(r)]}


@pytest.mark.parametrize("how", HALF)
def test_a_reward_without_a_number_for_half_of_the_texts_costs_no_rewrite(how, desk):
    "Unless the run is to go on; then the answer says that rewards are missing"
    paid = []
    def rewriter(prompt, text, w):
        paid.append(text)
        return f"{text} Ja." if w else text[:-1]
    reward = CallableReward("halb", HALF[how])
    audit = lambda to, **design: Audit(short_texts(), "length", rewriter, reward, to, design=Design(**design))
    with pytest.raises(ModelError, match=r"no finite reward to \d+ of 40 .*\(“So .*; keep_going=True"):
        audit("a").report()
    assert not paid
    going = audit("b", keep_going=True)
    going.report()
    assert "Rewards are missing: halb gave no number" in going._repr_markdown_() and paid


def test_a_random_reward_is_told_before_a_rewrite_is_paid(desk, capsys):
    said, draw = [], np.random.default_rng(0)
    def rewriter(prompt, text, w):
        said.append(capsys.readouterr().out)
        return f"{text} {w}"
    reward = CallableReward("zufall", lambda p, r: [len(x) + draw.normal() for x in r])
    assert len(Audit(short_texts(), "length", rewriter, reward, "a").rewrite()) == 80
    assert re.search(r"warning: zufall: the same texts.* up to [\d.]+ standard dev.*goes on", said[0])
    assert "warning" not in "".join(said[1:])


def test_the_reply_of_a_judge_that_gives_no_score_is_quoted():
    judge = RubricReward(lambda messages: "A", [dict(name="score", question="How good?", scale="1-10")])
    with pytest.raises(ModelError, match="8 of 8 .*One of its replies is 'A', which is not") as told:
        try_reward(judge, ["Was?"]*8, [f"So {i}." for i in range(8)])
    assert "division" not in str(told.value)


def test_the_reply_of_a_judge_that_names_no_winner_is_quoted():
    judge = LLMJudge(lambda messages: "Both have their merits.")
    with pytest.raises(ModelError, match="no verdict to 8 of 8 .*; one reply is 'Both have their merits.'"):
        try_judge(judge, ["Was?"]*8, [f"So {i}." for i in range(8)])


def test_what_was_paid_is_not_paid_again_without_a_word(desk, capsys):
    "A folder that was moved, a store that is gone or damaged, a store whose name is misspelt"
    box, folder = Sandbox(), Path("lauf")
    with box:
        asked = ["audit", "texte.csv", "--attribute", "length", "--base-url", box.base_url,
                 "--rewriter-model", "sandbox-rewriter", "--reward-model", "demo",
                 "-p", "examples.columns={prompt: Frage, response: Antwort}", "--run-dir", "lauf"]
        assert cli.main(asked) == 0
        kept = (folder / "store.sqlite").read_bytes()
        sent, again = box.requests, ["audit", "--config", "lauf/audit.yaml"]
        folder.rename("umgezogen")
        assert cli.main(["audit", "--config", "umgezogen/audit.yaml"]) == 2
        assert "If the folder was moved, say --run-dir" in capsys.readouterr().err
        Path("umgezogen").rename(folder)
        (folder / "store.sqlite").unlink()
        assert cli.main(again) == 2 and re.search("their store .* is gone", capsys.readouterr().err)
        assert box.requests == sent
        (folder / "store.sqlite").write_bytes(kept)
        assert cli.main([*again, "--store", "lauf/stor.sqlite", "--plan"]) == 0
        assert "store.sqlite lies beside it" in capsys.readouterr().err
        (folder / "store.sqlite").write_bytes(kept[:20_000])
        cli.main(again)
        said = capsys.readouterr()
        assert "warning: " in said.out + said.err and "was damaged" in said.out + said.err


def test_exchanged_labels_are_told_by_the_run_itself(desk, capsys):
    world = TextWorld("length")
    texts = world.examples(40, np.random.default_rng(0))
    audit = Audit(texts.assign(w=1 - texts.w), "length", world.rewriter, world.reward, "run")
    audit.rewrite()
    assert "warning: The labels in `w` agree" in capsys.readouterr().out


@pytest.mark.parametrize("change, told", [
    (dict(prompt_id="1"), "All 40 examples have one `prompt_id` and different prompts.* leave the column"),
    (dict(response=["", *short_texts().response[1:]]), "1 response is empty .example_id '0'.: it cannot be"),
    (dict(w=[None, 1, *[0, 1]*19]), "39 labels are yours, 1 comes from .*: blank labels were filled in"),
    (dict(w=1), "No example is shorter: .*only the ATT"), ({}, ""),
    (dict(response=[f"{i*37 % 1000 + 1}.5" for i in range(40)]), "Most responses are a number alone: ")])
def test_facts_of_the_data_are_told_by_the_run_as_by_the_plan(change, told, desk, capsys):
    texts = load_examples(short_texts()[["prompt", "response"]].assign(**change))
    audit = Audit(texts, "length", lambda prompt, text, w: f"{text} Ja." if w else text[:-1], lambda p, r:
                  [float(len(x)) for x in r], "run")
    notes = audit.plan().notes
    assert not capsys.readouterr().out
    audit.rewrite()
    warned = re.findall("warning: (.*)", capsys.readouterr().out)
    assert len(warned) == bool(told) and all(re.match(told, w) and w in notes for w in warned)


def test_errors_of_python_name_what_works_there(desk):
    audit = lambda examples, attribute: Audit(examples, attribute, lambda p, t, w: t, lambda p, r: r, "run")
    with pytest.raises(InputError, match="in Python rate_nb.Attribute") as error:
        audit(short_texts(), "brevity")
    pasted = eval(re.search(r"in Python (.*)", str(error.value))[1], dict(rate_nb=sys.modules["rate_nb"]))
    assert audit(short_texts().assign(w=[0, 1]*20), pasted)
    for several in (["length", "sentiment"], ("length", "sentiment"), "length, sentiment",
                    "length+sentiment"):
        with pytest.raises(InputError, match=r"must be one, .*: call once for each, .*for a in \['length',"):
            audit(short_texts(), several)
    with pytest.raises(InputError, match="text_.csv: no such file; did you mean 'text.csv'"):
        audit("text_.csv", "length")
    with pytest.raises(InputError, match="`columns` must be our names and theirs, e.g. {'resp"):
        load_examples("texte.csv", columns=["Frage", "Antwort"])
    with pytest.raises(SchemaError, match="'question': 'prompt' renames the column .*, .* Leave it out"):
        load_examples(short_texts(), columns=dict(question="prompt"))
    with pytest.raises(SchemaError, match=r"Name them: load_examples\(…, columns={.*}\), whose table Audit"):
        audit("texte.csv", "length")


def test_a_price_that_lacks_is_named_beside_those_that_are_there():
    with pytest.raises(InputError, match=r"\{'a': \[1, 2\], 'b': \[prompt, completion\]\}"):
        price_of("b", {"a": (1, 2)})


@pytest.mark.parametrize("says, typed", [
    ("say seed=None to send none.", "say -p rewriter.seed=null to send none."),
    ("say max_tokens=None. What", "say -p rewriter.max_tokens=null. What")])
def test_a_setting_that_an_endpoint_refuses_is_named_as_it_is_typed(says, typed):
    run = dict(examples="demo", attribute="length", rewriter=dict(model="m"), reward="demo")
    assert remedies(says, run) == typed


def test_the_batch_api_is_said_by_one_flag(desk, monkeypatch):
    "Its store is the run's"
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    seen = []
    monkeypatch.setattr(cli, "run_notebook", lambda *given, **_: seen.append(given[2]))
    with suppress(Exception): # what comes after the notebook
        cli.main(["audit", "texte.csv", "--attribute", "length", "--rewriter-model", "m", "--mode", "batch",
                  "-p", "examples.columns={prompt: Frage, response: Antwort}", "--reward-model", "demo",
                  "--plan"])
    assert len(seen) == 1 and "batch" in str(seen[0])


def test_a_diagnosis_in_print_begins_with_its_verdict(desk):
    world = TextWorld("length")
    texts = world.examples(60, np.random.default_rng(0))
    audit = Audit(texts, "length", world.rewriter, world.reward, "run", grading=Grading(itself=["zebra"]))
    found = audit.diagnose()
    assert str(found).startswith(found.headline()) and "No text or measure is called 'zebra'" in str(found)


def test_what_there_is_none_of_names_what_is_meant(desk):
    kept = FunctionRewriter(lambda prompt, text, w: f"{text} Ja." if w else text[:-1], "kept",
                            store=Store("store.sqlite"))
    texts = short_texts()[["prompt", "response"]]
    audit = Audit(texts, "length", kept, lambda p, r: [float(len(x)) for x in r], "run")
    for ask, says in ((lambda: audit.run(), r"no 'run'; use \.effects\(\), which runs"),
                      (lambda: Audit.load("run"), r"Audit\.from_config\('RUN_DIR/audit.yaml'\)"),
                      (lambda: audit.save(), "use run_dir, which holds every result"),
                      (lambda: audit.compare(), r"use Audit\(…, reward=\[one, other\]\)"),
                      (lambda: audit.draws, r"use \.inputs\.draws"),
                      (lambda: audit.estimate, r"use \.effects\(\)\['ATE'\]\.estimate"),
                      (lambda: audit.effects().estimate, r"use \['ATE'\]\.estimate"),
                      (lambda: audit.effects().p_value, r"use \['ATE'\]\.p_value\(\)"),
                      (lambda: audit.effects()["ATE"].ci, r"use \.ci_low and \.ci_high"),
                      (lambda: audit.diagnose().passed, r"use \.verdict\(\)"),
                      (lambda: audit.effects()["ATE"].significant, r"use \.p_value\(\), or"),
                      (lambda: audit.diagnose()["content"].passed, r"use \.verdict$"),
                      (lambda: audit.calibrate().rewards, r"use \.scored, whose"),
                      (lambda: audit.calibrate().estimate, r"use \.after\['ATE'\]\.estimate"),
                      (lambda: LengthPenalty().transform([1], [1]), r"use \.calibrate\(c, r\)"),
                      (lambda: audit.diagnose().to_csv, r"use \.table\.to_csv"),
                      (lambda: audit.results, "effects"),
                      (lambda: audit.efects(), "did you mean 'effects'"),
                      (lambda: audit.effects().to_csv("a.csv"), r"no 'to_csv'; .* \.table\.to_csv")):
        with pytest.raises(AttributeError, match=says):
            ask()
    with pytest.raises(SchemaError, match=r"holds whole lines: read it with pd.read_csv\(…, sep=';'\)"):
        load_examples(pd.read_csv("preise.csv"))
    with pytest.raises(AttributeError, match=r"use \['ATE'\]$"):
        audit.effects().ate
    for wrong in ("ate", 0, ["ATE", "ATT"]):
        with pytest.raises(InputError, match="`estimand` must be one of 'ATT', 'ATU', 'ATE', not"):
            audit.effects()[wrong]
    with pytest.raises(InputError, match=r"a table; \['ATE'\]\.estimate"):
        float(audit.effects())
    assert audit.diagnose()["content"].check == "content"
    with pytest.raises(InputError, match="`check` must be one of 'content'"):
        audit.diagnose()["contents"]
    with pytest.raises(InputError, match="cannot be pickled, and need not be: .*run holds its results"):
        pickle.dumps(audit)
    assert copy.copy(audit).run_dir == audit.run_dir and not hasattr(audit, "_repr_html_")
    effect = audit.effects()["ATE"].estimate
    assert pickle.loads(pickle.dumps(audit.effects()))["ATE"].estimate == effect
    assert copy.deepcopy(audit.effects())["ATE"].estimate == effect
    with pytest.raises(InputError, match=r"not 40; pairs for a model to read are Audit\(…, review=40\)"):
        audit.review(40)
    assert audit.effects()["ATE"].estimate == audit.effects().get("rate", "ATE").estimate
    assert "rewrites in the store are not read for this" in audit.plan().notes[-1]


def test_a_file_whose_name_begins_with_a_tilde_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("~$texte.csv").write_text("prompt,response\nWhy?,So.\n", encoding="utf-8")
    assert load_examples("~$texte.csv").response.tolist() == ["So."]
    Path("~$alt.csv").write_text("text,target,rewrite\nSo.,1,So!\n", encoding="utf-8")
    assert rewrites_from_file("~$alt.csv", "alt")
    assert not not_passed("~$lauf", []) and audited_over(["~$lauf"])
    for read in (UnloadedReward, read_conventions, scores_of_audit):
        with pytest.raises(RateError): # there is no such folder
            read("~$lauf")


def test_draws_at_temperature_0_are_named_in_the_plan_and_before_the_first_call(desk, capsys):
    def audit(draws, temperature):
        rewriter = OpenAIRewriter("m", base_url="http://127.0.0.1:9/v1", temperature=temperature)
        return Audit(short_texts(), "length", rewriter, lambda p, r: [len(x) for x in r], "run", draws=draws)
    says = "At temperature 0 .* 3 draws cost 3 times as much .*draws=1"
    assert re.search(says, repr(audit(3, 0).plan()))
    assert not any("temperature" in repr(audit(*one).plan()) for one in ((1, 0), (3, None)))
    with pytest.raises(ConnectionError):
        audit(3, 0).rewrite()
    assert re.search(f"warning: {says}", capsys.readouterr().out)


def test_a_limit_below_the_expected_tokens_is_named_in_the_plan(desk):
    def planned(limit):
        rewriter = OpenAIRewriter("m", base_url="http://127.0.0.1:9/v1", max_tokens=limit)
        return repr(Audit(short_texts(), "length", rewriter, lambda p, r: [len(x) for x in r], "run").plan())
    assert re.search(r"max_tokens 4 cuts off \d+ of \d+ calls, .* up to \d+ tokens: set a larger", planned(4))
    assert "max_tokens" not in planned(4096) + planned(None)


def test_a_diagnosis_is_no_yes_or_no(desk):
    world = TextWorld("length")
    audit = Audit(world.examples(30, np.random.default_rng(0)), "length", world.rewriter, world.reward, "run")
    found = audit.diagnose()
    with pytest.raises(InputError, match=r"neither true nor false.*\.verdict\(\) == 'passed'"):
        bool(found)
    audit.report()


def test_exchanged_rewrite_columns_raise_a_question(desk):
    w, draw = np.arange(60) % 2, np.random.default_rng(0)
    noise = lambda: draw.normal(0, .3, 60)
    first = w + noise()
    table = pd.DataFrame(dict(w=w, reward_original=first, reward_rewrite=1 - w + noise(),
                              reward_rewrite_of_rewrite=first + noise()))
    table.to_csv("right.csv", index=False)
    names = "reward_rewrite", "reward_rewrite_of_rewrite"
    assert not any("exchanged" in note for note in read_scored("right.csv")[1])
    table.rename(columns=dict(zip(names, names[::-1]))).to_csv("crossed.csv", index=False)
    assert "`reward_rewrite_of_rewrite` exchanged?" in read_scored("crossed.csv")[1][-1]


def test_a_file_with_several_attributes_says_how_they_are_run(desk):
    with pytest.raises(InputError, match=r"must be one attribute.*\{attribute: \[length, sentiment\]\}"):
        Audit.from_config(OK.replace("attribute: length", "attribute: length, sentiment"))


def test_arguments_in_each_others_place_and_a_price_without_a_pair(desk):
    table = pd.DataFrame(dict(prompt=["Was?"]*2, response=["So.", "So nicht."]))
    with pytest.raises(InputError, match="`attribute` is a table: the examples are the first") as told:
        Audit("length", table, lambda p, t, w: t, lambda p, r: r, "run")
    assert "So nicht" not in str(told.value)
    with pytest.raises(InputError, match=r"`prices` must be .*\{'MODEL': \[prompt, completion\]\}.*not 0.1"):
        Audit(table, "length", OpenAIRewriter("m", base_url="http://127.0.0.1:9/v1"), lambda p, r: r, "run",
              design=Design(prices=.1)).plan()
    with pytest.raises(InputError, match=r"'reward' .* condition on numbers is \{'min': 1, 'max': 5\}"):
        load_examples("bewertet.csv", where=dict(reward=">= 1"))


def test_an_argument_of_another_part_is_sent_there():
    for name, owner in (("itself", "Grading"), ("margin", "Grading"), ("draws", "Audit")):
        with pytest.raises(InputError, match=rf"{owner}\(…, {name}=…\) takes it"):
            Design(**{name: 2})
    with pytest.raises(InputError, match=r"Design\(…, check=…\) takes it"):
        Grading(check=3)


def test_an_argument_that_there_is_not_is_answered_by_what_takes_it(desk):
    def audit(reward=len, **more):
        return Audit("zwei.csv", "length", lambda prompt, text, target: text, reward, "run", **more)
    texts = dict(base_url="http://127.0.0.1:9/v1")
    network = type("Network", (), dict(save_pretrained=None, __call__=lambda self: 0))()
    for wrong, says in (
            (lambda: audit(temperature=.7), r"OpenAIRewriter\(…, temperature=…\) takes it"),
            (lambda: audit(dtype="float16"), r"load_reward_model\(…, dtype=…\) takes it"),
            (lambda: Design(model="m"), r"OpenAIRewriter\(…, model=…\) takes it"),
            (lambda: audit().rewrite(draws=2), r"Audit\(…, draws=…\) takes it"),
            (lambda: audit([lambda p, r: r, lambda p, r: r]), r"CallableReward\(name, function\) one for a"),
            (lambda: audit().effects(level=.9), r"Grading\(…, level=…\) takes it"),
            (lambda: audit().effects("ATE"), r"effects\(\)\['ATE'\] is one of them"),
            (lambda: OpenAIRewriter("m", max_new_tokens=9, **texts), "did you mean 'max_tokens'"),
            (lambda: LLMJudge("m", **texts), r"OpenAIRewriter\(…, base_url=…\) takes it"),
            (lambda: HTTPReward("http://127.0.0.1:9"), r"'wire'; e.g. HTTPReward\("),
            (lambda: HTTPReward("http://127.0.0.1:9", wire="plain", key="a"), "no argument 'key'"),
            (lambda: CallableReward(len), r"'fn'; e.g. CallableReward\('long', score"),
            (lambda: load_reward_model("m", trust_remote=True), "did you mean 'trust_remote_code'"),
            (lambda: Attribute("polite"), r"'treated'.*; e.g. Attribute\('polite', 'more"),
            (lambda: load_examples("zwei.csv", column={}), "did you mean 'columns'"),
            (lambda: load_examples("Anthropic/hh-rlhf"), "'hub:Anthropic/hh-rlhf:train'"),
            (lambda: load_examples("fehlt/texte.csv"), "^fehlt/texte.csv: no such file$"),
            (lambda: audit("model"), r"load_reward_model\('model'\)"),
            (lambda: audit("http://127.0.0.1:9/score"), r"HTTPReward\(address, wire\)"),
            (lambda: audit(network), r"is a Network, .* load_reward_model\(folder\)")):
        with pytest.raises(InputError, match=says):
            wrong()


def test_keys_of_a_grid_or_of_another_kind_are_sent_there(desk):
    with pytest.raises(InputError, match="`grid` is not known in an audit: `rate_nb batch FILE` runs"):
        Audit.from_config("grid.yaml")
    function = OK[:OK.index("reward:")] + "reward: {function: 'taste.py:score', sign: -1}"
    with pytest.raises(InputError, match="'sign' is one of kind classifier, and this is kind function"):
        Audit.from_config(function)


def test_a_name_of_a_room_is_found_there():
    package = sys.modules["rate_nb"]
    with pytest.raises(AttributeError, match="'HTTPReward'; from rate_nb.scoring import HTTPReward"):
        package.HTTPReward
    with pytest.raises(AttributeError, match="'HTPReward'; it has Attribute, Audit"):
        package.HTPReward
    assert not hasattr(package, "HTTPReward")
    with pytest.raises(ImportError, match="'HTTPReward'; from rate_nb.scoring import HTTPReward"):
        from rate_nb import HTTPReward # noqa: F401
    with pytest.raises(ImportError, match="'Audit'; from rate_nb.audit import Audit"):
        from rate_nb.scoring import Audit as _ # noqa: F401


def test_classes_no_folder_and_rewards_that_end_the_program_are_answered(desk):
    def audit(reward, run_dir="run"):
        return Audit(short_texts(), "length", lambda prompt, text, target: text, reward, run_dir)
    with pytest.raises(InputError, match="`reward` is the class CallableReward; make one"):
        audit(CallableReward)
    with pytest.raises(RateError, match="`run_dir` must be a folder"):
        audit(lambda p, r: [len(x) for x in r], None)
    def ends(prompts, responses): sys.exit("no licence")
    with pytest.raises(ModelError, match="no licence"):
        audit(ends).rewrite()
    Path("arguments.py").write_text("import sys\nsys.exit(2)\ndef score(p, r): return p")
    reward = 'reward: {url: "http://127.0.0.1:9/score", wire: plain}'
    with pytest.raises(InputError, match="the file cannot be run .SystemExit: 2"):
        Audit.from_config(OK.replace(reward, "reward: arguments.py:score") + "run_dir: run\n")
    Path("lauf").mkdir()
    Path("lauf/audit.yaml").write_text(OK)
    with pytest.raises(InputError, match="Did you mean lauf/audit.yaml"):
        Audit.from_config("lauf")
