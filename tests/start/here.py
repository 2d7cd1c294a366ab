"Engines for papermill that start no kernel: a notebook's cells run in this process, or in a fork of one."
import re
from contextlib import contextmanager


def shell():
    "A function that runs the source of a cell as a kernel does, and gives the cell's outputs"
    from execnb.shell import CaptureShell
    one = CaptureShell()
    one._showtraceback = lambda *_: None # it is an output of its own, not part of what was printed

    def run(source):
        outputs = one.run(source)
        for o in outputs:
            if o["output_type"] == "error": # as a kernel says it, without colours
                o["traceback"] = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in o["traceback"]]
            if "text" in o:
                o["text"] = "".join(o["text"])
            if "data" in o:
                o["data"] = {k: "".join(v) if isinstance(v, list) else v for k, v in o["data"].items()}
        return list(outputs)
    return run


@contextmanager
def here(options): yield shell()


def use(start):
    "papermill's engine takes what `start(options)` gives, a context of a function such as `shell`'s"
    from nbformat import from_dict
    from papermill import engines

    class Warm(engines.Engine):
        @classmethod
        def execute_managed_notebook(cls, nb_man, kernel_name, **options):
            code = [(i, c) for i, c in enumerate(nb_man.nb.cells) if c.cell_type == "code"]
            with start(options) as run:
                for count, (i, cell) in enumerate(code, 1):
                    nb_man.cell_start(cell, i)
                    cell.outputs, cell.execution_count = [from_dict(o) for o in run(cell.source)], count
                    for name in ("stdout", "stderr"):
                        said = "".join(o.text for o in cell.outputs if o.get("name") == name)
                        if (stream := options.get(f"{name}_file")) and said:
                            stream.write(said)
                            stream.flush()
                    if any(o.output_type == "error" for o in cell.outputs):
                        nb_man.cell_exception(cell, i)
                        break
                    nb_man.cell_complete(cell, i)

    engines.NBClientEngine = Warm # the base of the package's own engine
    engines.papermill_engines.register(None, Warm)
