"Several batches scored at once on a CPU: the same numbers, the same counts, nothing lost."
import threading
import numpy as np, pytest, torch
from rate_nb.scoring.likelihood import implicit_reward, load_language_model, log_ratio, steered
from rate_nb.scoring.reward_models import as_pairs, score_pairs
from rate_nb.scoring.reward_models import score_texts
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.base.store import Store
from test_heads import scalar
from test_scoring import build, texts  # noqa: F401, the fixture

COUNTERS = ("forward_passes", "truncated", "tokens", "padding", "reused")


@pytest.fixture
def two(monkeypatch):
    "Two threads of torch, and no model too small for two workers"
    monkeypatch.setattr("rate_nb.scoring.prefix_sharing.SMALL", 0)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def sequence(architecture, **layout):
    return lambda folder: load_reward_model(build(folder / "m", architecture), device="cpu", token_budget=60,
                                            **layout)


def headed(folder):
    checkpoint, *_, options = scalar(folder / "m", "value_head")
    return load_reward_model(checkpoint, device="cpu", token_budget=60, **options)


def dpo(folder):
    policy, reference = (load_language_model(build(folder / str(s), "Llama", "ForCausalLM", seed=s),
                                             device="cpu") for s in (0, 1))
    return implicit_reward(policy, reference, token_budget=60)


def edit(folder):
    base = load_language_model(build(folder / "m", "Llama", "ForCausalLM"), device="cpu")
    return log_ratio(steered(base, 1, np.linspace(-1, 1, 16)), base, token_budget=60)


@pytest.mark.parametrize("make",
                         [sequence("Llama"), sequence("Llama", reuse_prefixes=False, padding_side="left"),
                          sequence("DistilBert"), headed, dpo, edit],
                         ids=["shared prefixes", "rectangles", "encoder", "head", "dpo", "edit"])
def test_two_workers_give_the_numbers_and_counts_of_one(make, two, tmp_path, texts, monkeypatch):
    m = make(tmp_path)
    assert m.workers == 2 and "2 batches at once" in m.facts.set_index("fact").value["device"]
    with monkeypatch.context() as p:
        p.setattr("rate_nb.scoring.prefix_sharing.MOST", 1)
        alone, counted = m.score(*texts), [getattr(m, c) for c in COUNTERS]
    for again in range(1, 4): # whichever worker has which batch
        assert np.allclose(m.score(*texts), alone, rtol=0, atol=1e-5) and np.ptp(alone) > .01
        assert [getattr(m, c) for c in COUNTERS] == [(again + 1)*n for n in counted]
    assert torch.get_num_threads() == 2


def test_an_interrupted_run_keeps_what_was_told_and_resumes_to_the_same_bits(two, tmp_path, texts):
    m = sequence("Llama")(tmp_path)
    whole = m.score(*texts)
    class Stops:
        done = 0
        def update(self, n, note=""):
            self.done += n
            if self.done > 9:
                raise KeyboardInterrupt
    store = Store(tmp_path / "store.sqlite")
    bar, before = Stops(), m.forward_passes
    with pytest.raises(KeyboardInterrupt):
        score_pairs(m, as_pairs(*texts), store, bar)
    assert torch.get_num_threads() == 2
    begun = m.forward_passes - before # what workers had in hand was read, but nobody heard of it
    assert bar.done <= begun < 24, "workers are a few batches ahead of what was told, not at the end"
    before = m.forward_passes
    assert np.array_equal(score_texts(*texts, m, store), whole) and m.forward_passes - before == 24 - bar.done
    before = m.forward_passes
    assert np.array_equal(score_texts(*texts, m, store), whole) and m.forward_passes == before


def test_a_batch_that_fails_says_so_and_workers_are_not_left_behind(two, tmp_path, texts, monkeypatch):
    m = sequence("Llama")(tmp_path)
    monkeypatch.setattr(type(m), "_forward", lambda self, items: 1 / 0)
    before = set(threading.enumerate()) # those of earlier tests may end meanwhile
    with pytest.raises(ZeroDivisionError):
        m.score(*texts)
    assert not set(threading.enumerate()) - before and torch.get_num_threads() == 2


def test_functions_of_a_users_run_one_at_a_time(two, tmp_path):
    folder = build(tmp_path / "m", "Llama", num_labels=2)
    assert load_reward_model(folder, device="cpu", label_index=lambda z: z[:, 0]).workers == 1
    assert load_reward_model(folder, device="cpu", label_index=1).workers == 2
