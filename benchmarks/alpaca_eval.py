"""Length-controlled win rates against the published ones, on public annotations that lie here.

    python benchmarks/alpaca_eval.py RESULTS LEADERBOARD [DIFFICULTY] [GAMED] [CLONES]

RESULTS is the `results` folder of tatsu-lab/alpaca_eval (or some of its generators, each with
`<judge>/annotations.json`), LEADERBOARD its CSV with `length_controlled_winrate`; DIFFICULTY and GAMED are
instruction_difficulty.csv and df_gamed.csv of the project's hub, where they are at hand. Prints, for what
can be computed, the gap to the published rates and how often `lc_low` to `lc_high` holds them, and what the
clip does to calibrated win rates. Exits with 1 if the gap with both files exceeds a mean of 1 or a largest of
3 points, or if without gamed rows the range holds less than 9 in 10.

CLONES is a folder with a clone of alpaca_eval: then the official module itself computes every generator's
rate from the same annotations and the same two files, and nothing else is run (LEADERBOARD is not read: give
"-"). Exits with 1 unless the two rates agree to .1 points for each of at least 50 generators.
"""
import json, sys, tempfile, time, warnings
from pathlib import Path
import pandas as pd
from rate_nb.benchmarks.alpaca_eval import (
    clip_rates, length_controlled, load_alpaca_eval, read_ranking, steadiest_clip)


def gaps(table, published):
    "Generators that both have, points of difference, and whether the range holds the published rate"
    t = table.set_index("generator")
    t = t[t.index.isin(published.index) & t.C.notna()] # not the baseline itself
    p = published[t.index]
    return (t.lc_win_rate - p).abs(), p.between(t.lc_low, t.lc_high), (t.lc_high - t.lc_low)


def main(results, leaderboard, difficulty=None, gamed=None):
    warnings.simplefilter("ignore", UserWarning)
    a = load_alpaca_eval(results, names="file", missing="drop")
    published = read_ranking(leaderboard, "length_controlled_winrate")
    ways = {"neither file": {}, "no stand-ins": dict(gamed=())}
    if difficulty:
        ways["difficulty"] = dict(difficulty=difficulty)
    if gamed:
        ways["both files"] = dict(difficulty=difficulty, gamed=gamed)
    missed = False
    print("| given | generators | mean gap | largest | held by the range | its median width | CPU s |")
    print("|:--|--:|--:|--:|--:|--:|--:|")
    for name, options in ways.items():
        start = time.process_time()
        gap, held, wide = gaps(length_controlled(a, **options), published)
        used = time.process_time() - start
        ranged = "gamed" not in options
        print(f"| {name} | {len(gap)} | {gap.mean():.2f} | {gap.max():.2f} ({gap.idxmax()}) | "
              f"{f'{held.mean():.3f} | {wide.median():.1f}' if ranged else ' | '} | {used:.0f} |", flush=True)
        missed |= ranged and held.mean() < .9 or name == "both files" and (gap.mean() > 1 or gap.max() > 3)
    rates = clip_rates(a[a.generator.astype(str) != a.baseline.astype(str)])
    print("\n| clip | mean gap of the calibrated to the published length-controlled rate |\n|:--|--:|")
    for c in rates:
        gap = (rates[c] - published).dropna().abs().mean()
        print(f"| {100*c:.3g}%{' (steadiest)' if c == steadiest_clip(rates) else ''} | {gap:.2f} |")
    return int(missed)


def against_official(results, difficulty, gamed, clones):
    "Own and official rates of each generator, given the same two files"
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent/"tests"/"conformance"))
    from make import SOURCES, glm_winrate
    warnings.simplefilter("ignore")
    files = {"instruction_difficulty.csv": difficulty, "df_gamed.csv": gamed}
    a = load_alpaca_eval(results, names="file", missing="drop")
    ours, rows = length_controlled(a, difficulty=difficulty, gamed=gamed).set_index("generator"), []
    with tempfile.TemporaryDirectory() as folder:
        code = glm_winrate(clones, folder)
        code.hf_hub_download = lambda **options: str(Path(files[options["filename"]]).resolve())
        for path in sorted(Path(results).glob("*/*/annotations.json")):
            name = path.parent.parent.name
            if name not in ours.index or pd.isna(ours.C[name]): # the baseline itself
                continue
            table = pd.DataFrame(json.loads(path.read_text(encoding="utf-8")))
            theirs = code.get_length_controlled_winrate(table, save_weights_dir=None,
                                                        is_warn_extreme_changes=False)
            rows.append((name, ours.lc_win_rate[name], theirs["length_controlled_winrate"]))
    t = pd.DataFrame(rows, columns=["generator", "ours", "official"])
    t["gap"] = (t.ours - t.official).abs()
    print(t.sort_values("gap").round(3).to_string(index=False))
    print(f"{len(t)} generators, official module of {SOURCES['alpaca_eval'][0]} at "
          f"{SOURCES['alpaca_eval'][1][:7]}: mean gap {t.gap.mean():.3f}, largest {t.gap.max():.3f} points")
    return int(t.gap.max() > .1 or len(t) < 50)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    if len(sys.argv) == 6:
        sys.exit(against_official(sys.argv[1], *sys.argv[3:]))
    sys.exit(main(*sys.argv[1:]))
