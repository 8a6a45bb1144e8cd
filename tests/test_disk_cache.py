"""The disk cache of compiled functions: it loads from any folder, and treats damaged files as missing."""

import errno
import os
import warnings
from contextlib import contextmanager
from unittest.mock import Mock

import numba
import pytest
from numba.core import caching

from catan_agents.dice_game import solution
from catan_env.engine.compiler import jit

pytestmark = pytest.mark.skipif(not jit.PATCHED, reason="about compiled code and known versions of Numba")
if jit.PATCHED:
    from catan_env.engine.compiler import disk_cache


def doubled(number):
    return 2 * number


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The empty folder of `NUMBA_CACHE_DIR`. No warnings have been given yet."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(disk_cache, "WARNED", set())
    return tmp_path


@pytest.fixture
def warm(folder):
    """The cache folder with the compiled function."""
    assert compiled_again() and list(folder.rglob("*.nbc"))
    return folder


@pytest.fixture
def read_only(monkeypatch):
    """A function that makes the disk read-only."""

    def refuse(*args, **kwargs):
        raise OSError(errno.EROFS, "Read-only file system")

    def make():
        monkeypatch.setattr(caching.tempfile, "TemporaryFile", refuse)
        monkeypatch.setattr(caching.os, "replace", refuse)

    return make


def compiled_again():
    """Return whether a new dispatcher has to compile the function."""
    function = jit.cached_jit()(doubled)
    assert function(21) == 42
    return not function.stats.cache_hits


def compiled_silently():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return compiled_again()


def test_a_warm_cache_is_read(warm):
    assert not compiled_silently()


def test_a_warm_cache_that_cannot_be_written_is_read(warm, read_only):
    read_only()
    assert not compiled_silently()


def test_a_warm_cache_that_cannot_be_written_comes_before_other_folders(warm, monkeypatch):
    write = caching._CacheLocator.ensure_cache_path

    def refuse_there(locator):
        if locator.get_cache_path().startswith(str(warm)):
            raise OSError(errno.EROFS, "Read-only file system")
        write(locator)

    monkeypatch.setattr(caching._CacheLocator, "ensure_cache_path", refuse_there)
    assert not compiled_silently()


def test_without_a_place_to_write_it_compiles_and_warns_once(folder, read_only):
    read_only()
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR") as caught:
        assert compiled_again() and compiled_again()
    assert len(caught) == 1


def test_without_any_place_it_compiles_and_warns(folder, monkeypatch):
    monkeypatch.setattr(disk_cache.CacheImpl, "_locator_classes", [])
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR"):
        assert compiled_again()


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:40],
        lambda data: data[: len(data) // 2],
        lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :],
        lambda data: b"\xc0" * len(data),
    ],
    ids=["empty", "first_bytes", "half", "one_bit", "other_bytes"],
)
def test_a_damaged_file_is_compiled_again_and_overwritten(warm, suffix, damage):
    (path,) = warm.rglob(f"*.{suffix}")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(RuntimeWarning, match=r"doubled.*damaged"):
        assert compiled_again()
    assert not compiled_silently()


def test_a_damaged_file_that_cannot_be_overwritten_is_compiled_again(warm, read_only):
    (path,) = warm.rglob("*.nbc")
    path.write_bytes(path.read_bytes()[:100])
    read_only()
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert compiled_again()


def test_a_full_disk_is_no_error(folder, monkeypatch):
    @contextmanager
    def fail(files, path):
        raise OSError(errno.ENOSPC, "No space left on device")
        yield

    monkeypatch.setattr(caching.IndexDataCacheFile, "_open_for_write", fail)
    with pytest.warns(RuntimeWarning, match="No space left on device.*NUMBA_CACHE_DIR") as caught:
        assert compiled_again() and compiled_again()
    assert len(caught) == 1


@pytest.fixture
def four_functions(tmp_path, monkeypatch):
    """A folder with four functions of 10 bytes each, last used an hour apart, and a limit of two functions."""
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 20)
    for hours, name in enumerate("abcd"):
        for path in (tmp_path / f"{name}.py311.nbi", tmp_path / f"{name}.py311.1.nbc"):
            path.write_bytes(b"0123456789")
            os.utime(path, (1e9 + 3600 * hours,) * 2)
    return tmp_path


def names_in(folder, suffix):
    return "".join(sorted(path.name[0] for path in folder.glob(f"*{suffix}")))


def test_functions_that_were_not_used_for_longest_are_deleted(four_functions):
    """Prune also deletes their index files once these are a day old. It leaves other files alone."""
    other, young = four_functions / "other.pyc", four_functions / "a.py311.nbi"
    other.write_bytes(b"0" * 100)
    os.utime(young)
    disk_cache.prune(four_functions)
    assert names_in(four_functions, "nbc") == "cd" and names_in(four_functions, "nbi") == "acd" and other.exists()
    disk_cache.prune(four_functions)
    assert names_in(four_functions, "nbc") == "cd"


def test_several_processes_can_prune_at_once(four_functions, monkeypatch):
    """Files that another process has already deleted are not an error."""
    found = [*four_functions.iterdir(), four_functions / "gone.py311.1.nbc"]
    monkeypatch.setattr(disk_cache.Path, "glob", lambda *about: found)
    delete = Mock(side_effect=FileNotFoundError)
    monkeypatch.setattr(disk_cache.Path, "unlink", delete)
    disk_cache.prune(four_functions)
    assert delete.call_count == 4


def test_reading_a_function_counts_as_a_use_and_saving_one_prunes(warm, monkeypatch):
    (path,) = warm.rglob("*.nbc")
    os.utime(path, (1e9, 1e9))
    assert not compiled_silently() and path.stat().st_mtime > 1e9
    other = path.with_name("other.py311.1.nbc")
    other.write_bytes(b"0" * 100)
    os.utime(other, (1e9, 1e9))
    monkeypatch.setattr(disk_cache, "MOST_BYTES", path.stat().st_size)
    assert not compiled_silently() and other.exists()  # only saving prunes
    path.unlink()
    assert compiled_again() and path.exists() and not other.exists()
    assert not compiled_silently()


def test_files_that_numba_wrote_without_checksums_are_read(folder):
    assert numba.njit(cache=True)(doubled)(21) == 42
    assert not compiled_silently()


def test_functions_of_modules_are_cached_in_the_same_way():
    functions = [value for value in vars(solution).values() if isinstance(value, numba.core.registry.CPUDispatcher)]
    assert functions
    assert all(isinstance(function._cache, disk_cache.DiskCache) for function in functions)
