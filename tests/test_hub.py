"""Pushing and pulling agents, with the Hugging Face library and a local stand-in for the Hub, and with folders."""

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

pytest.importorskip("huggingface_hub")
pytest.importorskip("torch")

from catan_agents import hub, make_agent
from catan_agents.bundled import PRETRAINED, VALUE_FILE
from catan_agents.learned import CheckpointError, LearnedAgent
from catan_env import BatchEngine
from catan_env.errors import CatanError, MissingExtraError, OptionError
from catan_training import cli
from tests.test_onnx_export import checkpoint

hub_library = pytest.importorskip("huggingface_hub")
REPO = "someone/agent"


class StandInHub(BaseHTTPRequestHandler):
    """A server that answers the Hub requests needed for push and pull. Repositories are dicts of files."""

    repositories: dict = {}
    requests: list = []

    def log_message(self, *arguments):
        pass

    def reply(self, status, body=b"", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": len(data), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def files(self):
        parts = self.path.split("?")[0].strip("/").removeprefix("api/models/").split("/")
        return "/".join(parts[:2]), self.repositories.get("/".join(parts[:2]))

    def commit_of(self, files):
        return hashlib.sha1(repr(sorted(files.items())).encode()).hexdigest()

    def do_POST(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers["Authorization"] != "Bearer right":
            return self.reply(401, {"error": "Invalid username or password."})
        if self.path == "/api/repos/create":
            about = json.loads(data)
            name = "/".join(filter(None, (about.get("organization"), about["name"])))
            self.requests.append(about)
            if name in self.repositories:
                return self.reply(409, {"url": f"{self.server.address}/{name}"})
            self.repositories[name] = {}
            return self.reply(200, {"url": f"{self.server.address}/{name}"})
        if self.path == "/api/validate-yaml":  # validates the model card
            return self.reply(200, {"errors": [], "warnings": []})
        name, files = self.files()
        if "/preupload/" in self.path:
            entries = [
                {"path": f["path"], "uploadMode": "regular", "shouldIgnore": False} for f in json.loads(data)["files"]
            ]
            return self.reply(200, {"files": entries})
        if "/commit/" in self.path:
            for line in map(json.loads, data.splitlines()):
                value = line["value"]
                if line["key"] == "file":
                    files[value["path"]] = base64.b64decode(value["content"])
                elif line["key"] == "deletedFile":
                    del files[value["path"]]
            url = f"{self.server.address}/{name}/commit/{self.commit_of(files)}"
            return self.reply(200, {"commitUrl": url, "commitOid": self.commit_of(files), "success": True})
        return self.reply(404, {"error": self.path})

    def do_GET(self):
        name, files = self.files()
        if files is None:
            return self.reply(404, {"error": "Repository not found"}, X_Error_Code="RepoNotFound")
        commit = self.commit_of(files)
        if "/resolve/" in self.path:
            data = files[self.path.split("?")[0].rpartition("/")[2]]
            etag = f'"{hashlib.sha1(data).hexdigest()}"'
            return self.reply(200, data, ETag=etag, X_Repo_Commit=commit)
        if "/tree/" in self.path:
            return self.reply(200, [{"type": "file", "path": p, "size": len(d), "oid": "0"} for p, d in files.items()])
        return self.reply(200, {"id": name, "sha": commit, "siblings": [{"rfilename": file} for file in files]})

    do_HEAD = do_GET


@pytest.fixture
def server(monkeypatch, tmp_path):
    StandInHub.repositories, StandInHub.requests = {}, []
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandInHub)
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "ENDPOINT", server.address)
    monkeypatch.setattr(
        constants, "HUGGINGFACE_CO_URL_TEMPLATE", server.address + "/{repo_id}/resolve/{revision}/{filename}"
    )
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", "right")
    yield server
    server.shutdown()
    server.server_close()


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_agent_goes_to_the_hub_and_back(server, tmp_path, capsys):
    source = checkpoint(tmp_path / "mine")
    assert cli.main(["push", str(source), REPO, "--license", "mit", "--private"]) == 0
    assert f"{server.address}/{REPO}" in capsys.readouterr().out
    asked = StandInHub.requests[0]  # older releases of the library use another key
    assert asked.get("visibility") == "private" or asked["private"]
    stored = StandInHub.repositories[REPO]
    assert set(stored) == {"README.md", "checkpoint.json", "network.safetensors"}
    assert cli.main(["pull", REPO, "--out", str(tmp_path / "pulled")]) == 0
    assert files_in(tmp_path / "pulled") == stored
    named = make_agent(f"hf:{REPO}")
    assert named.name == "agent"
    engine = BatchEngine("base", 4, 3, seed=1)
    games = np.arange(4)
    expected = LearnedAgent.load(source).probabilities(engine, games)
    for agent in (named, make_agent(tmp_path / "pulled")):
        np.testing.assert_array_equal(agent.probabilities(engine, games), expected)


def test_a_push_of_another_kind_replaces_the_files(server, tmp_path):
    hub.push(checkpoint(tmp_path / "mine"), REPO)
    hub.push("base-value", REPO)
    assert set(StandInHub.repositories[REPO]) == {"README.md", VALUE_FILE}


def test_the_hub_refuses_with_its_words(server, tmp_path, monkeypatch, capsys):
    assert cli.main(["pull", "someone/missing", "--out", str(tmp_path / "x")]) == 2
    assert "someone/missing" in capsys.readouterr().err and not (tmp_path / "x").exists()
    StandInHub.repositories["someone/empty"] = {"README.md": b"# nothing\n"}
    with pytest.raises(hub.HubError, match="neither value.safetensors nor checkpoint.json"):
        hub.pull("someone/empty", tmp_path / "x")
    monkeypatch.setenv("HF_TOKEN", "wrong")
    with pytest.raises(hub.HubError, match="hf auth login"):
        hub.push("base-value", REPO)
    assert REPO not in StandInHub.repositories


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("base-value", "`base`, version 2, 4 players; `base`, version 2, 3 players; `base_5_6`, version 2, 6 players"),
        ("base-strong", "`base`, version 2, 4 players"),
    ],
)
def test_a_folder_holds_the_same_as_a_repository(name, games, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert hub.push(name, "./shared", license="mit") == "shared"
    pulled = hub.pull("./shared", "copy")
    own = {file: data for file, data in files_in(PRETRAINED / name).items() if file != "README.md"}
    assert files_in(pulled) == files_in(tmp_path / "shared") and own.items() <= files_in(pulled).items()
    card = hub_library.ModelCard.load(tmp_path / "shared" / "README.md")
    assert card.data.license == "mit" and card.data.library_name == "catan-env" and "base" in card.data.tags
    assert f"| Plays | {games} |" in card.text and "catan evaluate --agent ./shared" in card.text
    assert (PRETRAINED / name / "README.md").read_text().partition("\n")[2].strip() in card.text
    hub.push("copy", "./again")  # pushing again keeps the author's model card
    assert files_in(tmp_path / "again") == files_in(tmp_path / "shared")


def test_damaged_files_and_wrong_names_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hub.push("base-value", "./shared")
    with pytest.raises(OptionError, match="exists already"):
        hub.pull("./shared", tmp_path)
    (tmp_path / "shared" / VALUE_FILE).write_bytes(b"x")
    with pytest.raises(CatanError, match="not a value network"):
        hub.pull("./shared", "copy")
    broken = checkpoint(tmp_path / "broken")
    (broken / "network.safetensors").unlink()
    with pytest.raises(CheckpointError, match="Cannot read"):
        hub.push(broken, "./other")
    assert not (tmp_path / "copy").exists() and not (tmp_path / "other").exists()
    for repo in ("agent", "a/b/c", "/"):
        with pytest.raises((OptionError, hub.HubError)):
            hub.pull(repo, "copy")
    with pytest.raises(OptionError, match="neither a bundled trained agent"):
        hub.push("heuristic", "./other")


def test_without_the_library_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r"catan-env\[hub\]"):
        hub.push("base-value", tmp_path / "x")
