"Numbers and a run folder of an earlier version: what was computed is computed again, what was paid is found."
import shutil
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
import golden
from rate_nb.rewriting import Sandbox


@pytest.mark.filterwarnings("ignore:RC-Mean leaves")
@pytest.mark.parametrize("name, again", [("demo_effects", golden.effects), ("calibrated", golden.calibrated),
                                         ("rm_bench", golden.rm_bench)])
def test_numbers_are_those_of_before(name, again):
    assert_frame_equal(again(), pd.read_parquet(golden.GOLDEN / f"{name}.parquet"), rtol=1e-12, atol=1e-14)


def test_a_run_folder_of_before_is_read_and_nothing_is_paid_again(tmp_path):
    folder = shutil.copytree(golden.GOLDEN / "run", tmp_path / "run")
    before = {name: pd.read_parquet(folder / f"{name}.parquet") for name in ("rewrites", "rewards", "scored")}
    with Sandbox() as endpoint:
        audit = golden.small_audit(endpoint, folder)
        rewrites, effects = audit.rewrite(), audit.effects()
        assert audit.rewriter.calls == 0 and len(rewrites) == len(before["rewrites"])
        assert_frame_equal(pd.read_parquet(folder / "rewards.parquet"), before["rewards"])
        assert_frame_equal(pd.read_parquet(folder / "scored.parquet"), before["scored"])
        assert effects.get("rate", "ATE").n == 24
        audit.rewriter.store.close()
