"A notebook turns red when the guarantee that it states is broken; `make mutants` does it to all of them."
import pytest
from mutants import EACH, FAST, NAMED, SAMPLE, drawn, exported_cells, mutated, named, said_by, sample


def test_the_named_mutations_can_be_made():
    made = list(named())
    assert [m.name for m in made] == list(NAMED) and all(mutated(m)[0] for m in made)


def test_the_draw_hangs_on_its_own_notebook_alone():
    notebook = "02_stats/04_power"
    first = drawn(notebook)
    assert len(first) == EACH == len({m.key for m in first}) and drawn(notebook) == first
    assert {m.cell for m in first} <= {cell for cell, _, _ in exported_cells(notebook)}
    for m in first:
        cell, _, module = mutated(m)
        compile(cell, m.cell, "exec")
        assert m.changed.split(" → ")[1].strip("()") in " ".join(module.split())


@pytest.mark.slow
@pytest.mark.parametrize("i", range(SAMPLE), ids=FAST)
def test_a_notebook_turns_red(i):
    mutant = sample()[i]
    said = said_by(mutant.notebook, mutant)
    assert said, f"{mutant.notebook} did not notice {mutant.function}: {mutant.changed}"
    assert "process ended" not in said, f"{mutant.notebook} ended, and not by a claim: {said}"
