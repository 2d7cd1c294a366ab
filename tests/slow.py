"""Write tests/slow.txt: the tests that take a second or more, from a run of all of them.

    CI=1 PYTEST_ADDOPTS=--junitxml=ran.xml make test; python tests/slow.py ran.xml
"""
import sys
from pathlib import Path
from xml.etree import ElementTree

LEAST = 1. # seconds
LIST = Path(__file__).with_name("slow.txt")


def name(test):
    "What pytest calls a test, as a report in XML does: tests.base.test_store::test_much_damage"
    path, _, rest = test.partition("::")
    return f"{path.removesuffix('.py').replace('/', '.')}::{rest}"


def listed():
    "{test: seconds}"
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return {test: float(seconds) for seconds, test in (line.split(" ", 1) for line in lines)}


def main(report):
    seconds = {}
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname')}::{case.get('name')}"
        seconds[test] = seconds.get(test, 0) + float(case.get("time"))
    slow = sorted((test, s) for test, s in seconds.items() if s >= LEAST)
    LIST.write_text("".join(f"{s:.0f} {test}\n" for test, s in slow), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
