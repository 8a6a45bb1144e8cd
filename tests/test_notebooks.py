"""The notebooks run from top to bottom with quick settings, and are stored with small outputs."""

import re
from pathlib import Path

import nbformat
import pytest

from tests.patience import PATIENCE
from tools.notebooks import shrink

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = ["quickstart", "search_and_chance", "train_and_evaluate", "write_your_own_variant"]


def name_of(path):
    return path.stem


def test_these_are_all():
    assert [path.stem for path in NOTEBOOKS] == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_it_is_kept_with_the_outputs_of_one_run(path):
    """`python -m tools.notebooks` ran the cells in order. Outputs have no errors, warnings or local paths."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    outputs = [output for cell in cells for output in cell.outputs]
    assert outputs and "error" not in {output.output_type for output in outputs}
    texts = [str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", "")) for output in outputs]
    assert not [text for text in texts if "Warning" in text or re.search(r"/(home|tmp|root|work)/", text)]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert set(kinds) <= {"text/plain", "image/png"} and kinds.count("image/png") <= 1


def test_a_notebook_is_kept_small():
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40" width="80" height="40"><rect width="9"/></svg>'
    )
    new_output, data = nbformat.v4.new_output, {"image/svg+xml": picture, "text/plain": "<Picture 80 x 40>"}
    outputs = [new_output("execute_result", dict(data)) for _ in range(2)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=outputs)])
    shrink(notebook, with_picture=True)
    assert [sorted(output.data) for output in outputs] == [["image/png", "text/plain"], ["text/plain"]]
    assert len(outputs[0].data["image/png"]) < 2000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_it_begins_with_what_it_is_about_and_its_settings(path):
    first, second = nbformat.read(path, as_version=4).cells[:2]
    assert first.source.startswith("# ")
    assert "CATAN_QUICK" in second.source and "parameters" in second.metadata.tags


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=pytest.mark.xdist_group(path.stem)) for path in NOTEBOOKS]
)
def test_it_runs(path, tmp_path, monkeypatch):
    from nbclient import NotebookClient

    monkeypatch.setenv("CATAN_QUICK", "1")
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=int(PATIENCE), kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    texts = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [text for text in texts if "Warning" in text]
