"Training on calibrated preferences: the world and the loop that resumes. Lesson 17 proves what it claims."
import json, sys
import numpy as np, pandas as pd, pytest
from rate_nb.studies import training
from rate_nb.base.core import InputError
from rate_nb.studies.training import (
    COLOURS, draw_prompts, judge_writer, LWR, ORIGINAL, THINGS, train_on_rewards, TrainingResult,
    TrainingSettings, true_quality, write_answers, writer_tokenizer)

SMALL = TrainingSettings(texts=200, prompts=20, questions=10)


def test_quality_is_what_counting_by_hand_gives():
    rng = np.random.default_rng(0)
    prompts = draw_prompts(300, rng)
    words = COLOURS + list(THINGS) + ["and", "well"]
    texts = [" ".join(rng.choice(words, rng.integers(0, 14)))
             for _ in range(150)] + write_answers(prompts[150:], rng)
    for p, r, q in zip(prompts, texts, true_quality(prompts, texts)):
        asked, said, right, wrong = p.removeprefix("colours of ").removesuffix(" ?").split(), r.split(), [], 0
        for i in range(len(said) - 1):
            if said[i] not in THINGS or said[i + 1] not in COLOURS:
                continue
            if said[i] in asked and THINGS[said[i]] == said[i + 1]:
                right.append(said[i])
            else:
                wrong += 1
        assert q == (len(set(right)) - wrong) / 3
    assert len(set(prompts)) == 300
    with pytest.raises(InputError, match="12,144 questions"):
        draw_prompts(12_145, rng)


def test_a_writer_is_judged_by_its_answers(monkeypatch):
    answers = pd.DataFrame(dict(prompt=draw_prompts(4, np.random.default_rng(0)), finished=[True, True, True,
                                                                                          False]))
    answers["response"] = write_answers(answers.prompt, np.random.default_rng(1))
    monkeypatch.setattr(training, "sample_answers", lambda *options: answers)
    got = judge_writer(None, None, None)
    assert got == dict(length=answers.response.str.len().mean(), unfinished=.25,
                       quality=true_quality(answers.prompt, answers.response).mean())


def test_every_answer_can_be_read_and_written_back():
    ("No unknown word, and a prompt's tokens are the beginning of the pair's: TRL and the sampler see the "
     "same text")
    rng, t = np.random.default_rng(0), writer_tokenizer()
    prompts = draw_prompts(200, rng)
    texts = write_answers(prompts, rng)
    for p, r in zip(prompts, texts):
        both = t(p + r + t.eos_token)["input_ids"]
        assert t.unk_token_id not in both and both == t(p)["input_ids"] + t(r,
            add_special_tokens=False)["input_ids"] + [t.eos_token_id]
        assert t.decode(t(r, add_special_tokens=False)["input_ids"]) == r


def test_without_trl_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "trl", None)
    with pytest.raises(InputError, match=r"pip install 'rate_nb\[train\]'"):
        train_on_rewards([0], settings=SMALL)


def test_a_stopped_run_goes_on_and_equals_one_that_was_not(tmp_path, monkeypatch):
    whole, calls, real = train_on_rewards([0], (0., 1.), False, SMALL), [], training.train_once
    def counted(*args):
        calls.append(args[1])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*args)
    monkeypatch.setattr(training, "train_once", counted)
    with pytest.raises(KeyboardInterrupt):
        train_on_rewards([0], (0., 1.), False, SMALL, tmp_path)
    again = train_on_rewards([0], (0., 1.), False, SMALL, tmp_path)
    assert again.table.equals(whole.table) and len(calls) == 3 and calls[0] is None and calls[1] == calls[2]
    train_on_rewards([0], (0., 1.), False, SMALL, tmp_path)
    assert len(calls) == 3
    other = train_on_rewards([0], (0., ), False,
                             TrainingSettings(texts=200, prompts=20, questions=10, lr=1e-3), tmp_path)
    assert len(calls) == 4 and not other.outcomes(ORIGINAL).equals(whole.outcomes(ORIGINAL))


def test_differences_are_paired_within_seeds():
    rng, level = np.random.default_rng(0), np.array([10., 20, 30, 40, 50])
    row = lambda reward, gamma, v: pd.DataFrame(dict(reward=reward, gamma=gamma, seed=range(5), length=v,
                                                     quality=v / 100, unfinished=0.))
    d = rng.normal(3, .1, 5)
    result = TrainingResult(pd.concat([row(ORIGINAL, 0., level),
                                       row(LWR, 1., level + d).sample(frac=1, random_state=0),
                                       row(LWR, .5, level)], ignore_index=True))
    e = result.compare(LWR, ORIGINAL, "length")
    assert np.isclose(e.estimate, d.mean()) and np.isclose(e.std_error, d.std(ddof=1) / 5**.5)
    assert np.isclose(e.df, 4)
    assert result.compare((LWR, 0), (LWR, .5), "length").estimate == 0
    assert np.isclose(result.summary().length_high[0] - 30, 2.7764451 * level.std(ddof=1) / 5**.5)


@pytest.mark.slow
def test_run_notebook_trains_and_keeps(tmp_path):
    from rate_nb.batch.notebooks import run_notebook, run_notebooks
    values = dict(gammas="0,1", seeds=1, penalty=False, texts=200, prompts=20, questions=10,
                  run_dir=str(tmp_path/"out"))
    run_notebook(run_notebooks()["train_preferences"], tmp_path/"out"/"run.ipynb", values)
    table, differences = pd.read_csv(tmp_path/"out"/"writers.csv"), pd.read_csv(
        tmp_path/"out"/"differences.csv")
    assert (len(table) == 3
            and set(differences.difference) == {"Original − no DPO", "RC-LWR − Original", "RC-LWR − no DPO"})
    kept = {p: p.stat().st_mtime_ns for p in (tmp_path/"out"/"results").iterdir()}
    assert len(kept) == 3 and len(json.loads((tmp_path/"out"/"summary.json").read_text())["table"]) == 3
    same = train_on_rewards([0], (0.,), False, TrainingSettings(texts=200, prompts=20, questions=10),
                            tmp_path/"out"/"results")
    assert kept == {p: p.stat().st_mtime_ns for p in kept} and np.isclose(same.outcomes(ORIGINAL).length[0],
        table.length[(table.reward == ORIGINAL) & (table.seed == 0)].iloc[0])
