"An engine for papermill that needs no kernel."
import re


def in_this_process():
    "papermill's engine runs its cells here"
    from execnb.shell import CaptureShell
    from nbformat.v4 import new_output
    from papermill.engines import Engine, papermill_engines

    class Here(Engine):
        @classmethod
        def execute_managed_notebook(cls, nb_man, kernel_name, **options):
            shell = CaptureShell()
            for i, cell in enumerate(nb_man.nb.cells):
                if cell.cell_type != "code":
                    continue
                nb_man.cell_start(cell, i)
                cell.execution_count = i
                done = shell._run(cell.source)
                if error := done.exception:
                    traced = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).splitlines()
                    cell.outputs = [new_output("error", ename=type(error).__name__, evalue=str(error),
                                               traceback=traced)]
                    nb_man.cell_exception(cell, i)
                    break
                cell.outputs = [new_output("stream", text=done.stdout)] if done.stdout else []
                nb_man.cell_complete(cell, i)

    papermill_engines.register(None, Here)
