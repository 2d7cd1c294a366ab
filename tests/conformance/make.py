"""Make the fixtures of the conformance tests again: our inputs, and the numbers of the official code on them.

    python tests/conformance/make.py CLONES [rate rm_bench reward_bench reward_calibration alpaca_eval]

CLONES is a folder with clones named as in `SOURCES`. Files are taken from the commits named there and
imported as they are; modules that they import and do not use here are stand-ins. None of their code lies in
this repository.
"""
import gzip, importlib, json, os, random, subprocess, sys, tempfile, types
from pathlib import Path
from unittest.mock import MagicMock
import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
SOURCES = {
    "RATE": ("toddnief/RATE", "2f6d552281168e3ca60dd741e19276e8f669713d", [
        "src/rate/treatment_effects.py", "src/rate/constants.py", "src/rate/utils.py"]),
    "RM-Bench": ("THU-KEG/RM-Bench", "73c52d7b27b361621361ec959ac6c0eb9bb7a689", ["scripts/utils.py"]),
    "reward-bench": ("allenai/reward-bench", "05a9005efb607249822c193590c8ecab87c77052", [
        "rewardbench/constants.py", "rewardbench/utils.py"]),
    "reward-bench 2024-09-06": ("allenai/reward-bench", "5964246e5edd1a850ca59c7afe8425d6e78543fc", [
        "rewardbench/constants.py"]),
    "Reward-Calibration": ("ZeroYuHuang/Reward-Calibration", "aadcfe968a5f79d65e78a34bccf6367ad9e8ea8d", [
        "src/calibrate_rewardbench.py", "src/calibrate_alpacaeval.py", "src/helpers.py",
        "data/benchmarks.csv", "data/chatbot_arena_lb_0828.csv", "data/chatbot_arena_lb_style_length.csv"]),
    "alpaca_eval": ("tatsu-lab/alpaca_eval", "cd543a149df89434d8a54582c0151c0b945c3d20", [
        "src/alpaca_eval/metrics/glm_winrate.py", "src/alpaca_eval/metrics/winrate.py",
        "src/alpaca_eval/metrics/helpers.py", "src/alpaca_eval/utils.py", "src/alpaca_eval/types.py",
        "src/alpaca_eval/constants.py"])}


def checked_out(source, clones, folder):
    "A folder with the files of one source, as they are in its commit"
    repository, commit, paths = SOURCES[source]
    for path in paths:
        show = ["git", "-C", Path(clones)/repository.split("/")[1], "show", f"{commit}:{path}"]
        data = subprocess.run(show, check=True, capture_output=True).stdout
        target = Path(folder)/source/path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return Path(folder)/source


def package(name, folder):
    "An empty package whose modules lie in `folder`: its own __init__ is not run"
    module = types.ModuleType(name)
    module.__path__ = [str(folder)]
    sys.modules[name] = module


def kept(name, source, inputs, expected):
    "Write one fixture"
    made_by = [dict(zip(("repository", "commit", "files"), SOURCES[s])) for s in source]
    text = json.dumps(dict(made_by=made_by, command="python tests/conformance/make.py CLONES",
                           inputs=inputs, expected=expected), separators=(",", ":"))
    with gzip.GzipFile(HERE/f"{name}.json.gz", "wb", 9, mtime=0) as f:
        f.write(text.encode())
    print(name, (HERE/f"{name}.json.gz").stat().st_size, "bytes")


def rate(clones, folder):
    root = checked_out("RATE", clones, folder)
    sys.modules["dotenv"] = MagicMock()
    os.environ["PROJECT_DIR"] = str(folder)
    package("rate", root/"src"/"rate")
    code = importlib.import_module("rate.treatment_effects")
    rng, rows = np.random.default_rng(20), []
    for i in range(60):
        w = bool(rng.random() < .4)
        first, second, third = rng.normal([1.3*w, .4 - .5*w, .2 + .6*w], 1).round(3)
        names = ("original", "rewrite", "rewritten rewrite")
        rows.append({"w_original": w, "completions": {k: f"{k} {i}" for k in names},
                     "reward_question": "Write a movie review: ",
                     "org/model": dict(zip(names, (first, second, third))),
                     "org/other": dict(zip(names, (10*first, third, second)))})
    data = dict(enumerate(rows))
    expected = {m: code.treatment_effects_pipeline(data, reward_key=m) | code.calculate_rewrite_effect(
        data, reward_key=m) for m in ("org/model", "org/other")}
    kept("rate", ["RATE"], rows, {m: {k: float(v) for k, v in e.items()} for m, e in expected.items()})


def rm_bench(clones, folder):
    root = checked_out("RM-Bench", clones, folder)
    for name in ("fastchat", "fastchat.conversation", "rewardbench", "rewardbench.utils"):
        sys.modules[name] = MagicMock()
    sys.path.insert(0, str(root/"scripts"))
    code = importlib.import_module("utils")
    rng, rows = np.random.default_rng(21), []
    for domain, n in (("chat", 9), ("code", 7), ("math", 8), ("safety-refuse", 5), ("safety-response", 11)):
        rows += [dict(id=f"{domain}-{i}", domain=domain, score_chosen=rng.integers(0, 5, 3).tolist(),
                      score_rejected=rng.integers(0, 5, 3).tolist()) for i in range(n)]
    number = lambda d: {k: float(v) for k, v in d.items()}
    bare = lambda d: [{k: v for k, v in r.items() if k != "domain"} for r in rows
                      if r["domain"].startswith(d)]
    domains = {d: number(code.compute_accuracy(bare(d))) for d in ("chat", "code", "math", "safety")}
    total = number(code.compute_accuracy([dict(r) for r in rows]))
    kept("rm_bench", ["RM-Bench"], rows, dict(total=total, domains=domains))
    for name in [n for n in sys.modules if n.split(".")[0] in ("utils", "rewardbench")]:
        del sys.modules[name]
    sys.path.pop(0)


def reward_bench(clones, folder):
    from datasets import Dataset
    new, old = (checked_out(s, clones, folder) for s in ("reward-bench", "reward-bench 2024-09-06"))
    constants = {}
    for name, root in (("official", new), ("2024-08", old)):
        spec = importlib.util.spec_from_file_location("constants", root/"rewardbench"/"constants.py")
        constants[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(constants[name])
    package("rewardbench", new/"rewardbench")
    sys.modules["rewardbench.models"] = MagicMock()
    code = importlib.import_module("rewardbench.utils")
    rng, rows, tasks = np.random.default_rng(22), [], constants["official"]
    for s in tasks.EXAMPLE_COUNTS:
        rows += [dict(id=f"{s}-{i}", subset=s, score_chosen=int(rng.integers(0, 6)),
                      score_rejected=int(rng.integers(0, 5))) for i in range(int(rng.integers(4, 12)))]
    table = pd.DataFrame(rows)
    accuracy = (table.score_chosen > table.score_rejected).astype(int).groupby(table.subset).mean().to_dict()
    sections = {k: code.calculate_scores_per_section(c.EXAMPLE_COUNTS, c.SUBSET_MAPPING, accuracy)
                for k, c in constants.items()}
    two = [dict(id=f"{s}-{i}", subset=s, num_correct=1, scores=rng.integers(0, 4, 4).tolist())
           for s in ("Factuality", "Precise IF", "Math", "Safety", "Focus") for i in range(12)]
    long = pd.DataFrame([dict(id=r["id"], subset=r["subset"], text="", scores=v)
                         for r in two for v in r["scores"]])
    scored = code.reroll_and_score_dataset(Dataset.from_pandas(long), [4]*len(two)).to_pandas()
    ties = [dict(id=f"{kind}:{i}", subset="Ties", num_correct=k,
                 scores=[*rng.integers(3, 7, k).tolist(), *rng.integers(0, 5, 5).tolist()])
            for kind, k in (("ref", 1), ("tied", 3)) for i in range(25)]
    _, score = code.process_single_model(Dataset.from_list(ties))
    best = scored.groupby("subset").results.mean().to_dict()
    kept("reward_bench", ["reward-bench", "reward-bench 2024-09-06"],
         dict(version_1=rows, version_2=two + ties), dict(sections=sections, best_of_4=best, ties=score))


def reward_calibration(clones, folder):
    root = checked_out("Reward-Calibration", clones, folder)
    for name in ("alpaca_eval", "alpaca_eval.metrics", "alpaca_eval.metrics.glm_winrate"):
        sys.modules[name] = MagicMock()
    sys.path.insert(0, str(root/"src"))
    code, judge = (importlib.import_module(m) for m in ("calibrate_rewardbench", "calibrate_alpacaeval"))
    rng, counts = np.random.default_rng(23), sys.modules["helpers"].EXAMPLE_COUNTS
    subset = np.repeat(list(counts), 12)
    n = len(subset)
    length = rng.integers(30, 1800, (n, 2))
    random.seed(23) # it shuffles ties
    asked = (length.mean(1)**2/700).astype(int) + rng.integers(20, 600, n) # long prompts have long responses
    score = (rng.normal(size=(n, 2)) + [.6, 0] + .0016*length + .0006*asked[:, None]).round(3)
    df = pd.DataFrame(dict(subsets=subset, scores_chosen=score[:, 0], scores_rejected=score[:, 1]))
    for i, side in enumerate(("chosen", "rejected")):
        df[f"{side}_output_len_char"] = length[:, i]
        df[f"{side}_text_len_char"] = asked + length[:, i] + 31 # and 31 characters of template
    df["results"] = (df.scores_chosen > df.scores_rejected).astype(int)
    args = types.SimpleNamespace(ratio=4., min_calibrate_num=10, frac=.9, features=["output_len_char"])
    one = {"output_len_char": 1.}
    ways = {"original": lambda d: code.no_calibration(d, args),
            "Length penalty": lambda d: code.calibrate_score_penalty(d, args),
            "RC-Mean": lambda d: code.calibrate_score_mean_reward(d, args, one),
            "RC-LWR": lambda d: code.calibrate_score_LWR(d, args, one),
            "RC-LWR-Penalty": lambda d: code.calibrate_score_LWR(d, args, one, with_penalty=True)}
    expected = {}
    for name, way in ways.items():
        found, out = way(df.copy())
        expected[name] = dict(found={k: float(v) for k, v in found.items()},
                              chosen=out.chosen_scores_calibrated.round(12).tolist(),
                              rejected=out.rejected_scores_calibrated.round(12).tolist())
    names = ["gpt4_0613", "claude", "claude-2", "mistral-medium", "vicuna-7b-v1.5", "gemma-7b-it"]
    names += [f"{m}_{s}" for m in names[:3] for s in ("verbose", "concise")]
    board = pd.DataFrame({"gpt4-raw-winrate": rng.uniform(5, 60, 12).round(2),
                          "metric": rng.uniform(20, 50, 12).round(2)}, index=names)
    board["gpt4-LC-winrate"] = board["gpt4-raw-winrate"]
    strip = lambda i, s: i.removesuffix(f"_{s}") if i.removesuffix(f"_{s}") in names[:3] else None
    board["gamed_verbose_only"] = [strip(i, "verbose") for i in names]
    board["gamed_concise_only"] = [strip(i, "concise") for i in names]
    os.chdir(root)
    game = judge.report(board, "metric", [i for i in names if "_verbose" not in i])
    expected["gameability"] = {k: float(v) for k, v in game.items() if "Gameability" in k}
    inputs = dict(pairs=df.assign(prompt_length=asked).to_dict("list"),
                  board=dict(generator=names, win_rate=board["gpt4-raw-winrate"].tolist(),
                             metric=board.metric.tolist()))
    kept("reward_calibration", ["Reward-Calibration"], inputs, expected)
    for name in [m for m in sys.modules if m.split(".")[0] == "alpaca_eval"]:
        del sys.modules[name]


def glm_winrate(clones, folder):
    "The official module of length-controlled win rates"
    root = checked_out("alpaca_eval", clones, folder)
    for name in ("dotenv", "fire", "pkg_resources"):
        sys.modules[name] = MagicMock()
    package("alpaca_eval", root/"src"/"alpaca_eval")
    package("alpaca_eval.metrics", root/"src"/"alpaca_eval"/"metrics")
    return importlib.import_module("alpaca_eval.metrics.glm_winrate")


def alpaca_eval(clones, folder, generators=50, n=805):
    code = glm_winrate(clones, folder)
    rng = np.random.default_rng(24)
    sixteenth = lambda v: np.clip(np.round(v/16), 2, 255).astype(np.uint8) # lengths in steps of 16 characters
    base = rng.normal(6.9, .5, n)
    baseline_length, difficulty = sixteenth(np.exp(base)), rng.normal(0, .9, n).round(3)
    def judged(skill, taste, longer, spread):
        length = sixteenth(np.exp(base + rng.normal(longer, spread, n)))
        gap = 16.*length - 16.*baseline_length
        p = 1/(1 + np.exp(-(skill + difficulty + taste*np.tanh(gap/gap.std()) + rng.normal(0, 1.5, n))))
        return length, np.round(50*p).astype(np.uint8) # preferences in steps of 1/50
    models = [judged(rng.normal(-1, 1.3), rng.normal(1.5, .6), rng.normal(0, .5), rng.uniform(.2, .8))
              for _ in range(generators)]
    gamed = [judged(0, 1.6, shift, .3) for shift in (.6, -.7)]
    texts = lambda length: [" "*(16*int(k)) for k in length]
    parts = []
    for name, (length, p) in zip(("verbose", "concise"), gamed):
        gap = 16.*baseline_length - 16.*length
        parts.append(pd.DataFrame(dict(model=name, preference=p/50, index=range(n),
                                       std_delta_len=gap/gap.std(ddof=1), not_gamed_baseline=False,
                                       instruction_difficulty=difficulty)))
    pd.concat(parts).to_csv(Path(folder)/"df_gamed.csv", index=False)
    code.hf_hub_download = lambda **options: str(Path(folder)/options["filename"])
    found = []
    for g, (length, p) in enumerate(models):
        table = pd.DataFrame(dict(preference=1 + p/50, output_1=texts(baseline_length), annotator="judge",
                                  output_2=texts(length), generator_1="base", generator_2=f"g{g:02d}"))
        found.append(code.get_length_controlled_winrate(table, save_weights_dir=None,
                                                        is_warn_extreme_changes=False))
        print(g, found[-1]["length_controlled_winrate"], flush=True)
    repository, commit, files = SOURCES["alpaca_eval"]
    numbers = ("win_rate", "length_controlled_winrate", "lc_standard_error", "discrete_win_rate")
    pairs = {f"{kind}{what}": np.array([m[i] for m in rows])
             for kind, rows in (("", models), ("gamed_", gamed))
             for i, what in enumerate(("length", "preference"))}
    np.savez_compressed(HERE/"alpaca_eval.npz", baseline_length=baseline_length, difficulty=difficulty,
                        **pairs, made_by=json.dumps(dict(repository=repository, commit=commit, files=files)),
                        **{k: np.array([f[k] for f in found]) for k in numbers})
    print("alpaca_eval", (HERE/"alpaca_eval.npz").stat().st_size, "bytes")


def main(clones, *which):
    clones = Path(clones).resolve()
    for make in (rate, rm_bench, reward_bench, reward_calibration, alpaca_eval):
        if not which or make.__name__ in which:
            with tempfile.TemporaryDirectory() as folder:
                make(clones, folder)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
