"""The notebooks run from top to bottom with small settings, and are kept without outputs."""

from pathlib import Path

import nbformat
import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = ["quickstart", "search_and_chance", "train_and_evaluate", "write_your_own_variant"]


def name_of(path):
    return path.stem


def test_these_are_all():
    assert [path.stem for path in NOTEBOOKS] == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_it_is_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs, f"{path.name} has outputs: clear them before committing"
            assert cell.execution_count is None


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
