"""Builds the wheel with maturin, with the examples in it, and says at once when Rust is missing: maturin would fetch it.

`pyproject.toml` names this module (PEP 517).
"""
import os
import shutil
import sys
from pathlib import Path

import maturin

ROOT = Path(__file__).parents[1]
# What the package has beside its code: a folder or file of the repository, and its name in the package.
# A release also has the licenses of what is linked.
BESIDE = {
    ROOT / "examples": "examples",
    Path(os.environ.get("BOXSTEP_LICENSES", "none")): "THIRD-PARTY-LICENSES.txt",
}

get_requires_for_build_editable = maturin.get_requires_for_build_editable
get_requires_for_build_sdist = maturin.get_requires_for_build_sdist
build_sdist = maturin.build_sdist
build_editable = maturin.build_editable


def get_requires_for_build_wheel(config_settings=None):
    if shutil.which("cargo") is None:
        sys.exit("Boxstep is built from source with Rust, which is not installed: install Rust from https://rustup.rs, or "
                 "install a wheel of Boxstep, which needs no Rust.")
    return maturin.get_requires_for_build_wheel(config_settings)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = ROOT / "python" / "boxstep"
    copies = {source: package / name for source, name in BESIDE.items() if source.exists()}
    try:
        for source, copy in copies.items():
            if source.is_dir():
                shutil.copytree(source, copy, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, copy)
        return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    finally:
        for copy in copies.values():
            shutil.rmtree(copy, ignore_errors=True) if copy.is_dir() else copy.unlink(missing_ok=True)
