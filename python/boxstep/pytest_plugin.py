"""The pytest plugin: files named `*.test.toml` are tests, and tests in Python can use the fixture `behavior`."""
from __future__ import annotations

import pathlib
from typing import Any, Callable, Iterator

import pytest

from . import testing
from .run import Run

#: The ending of the names of test files.
ENDING = ".test.toml"


def pytest_collect_file(file_path: pathlib.Path, parent: pytest.Collector) -> "BehaviorFile | None":
    if file_path.name.endswith(ENDING):
        return BehaviorFile.from_parent(parent, path=file_path)
    return None


class BehaviorFile(pytest.File):
    """A test file of behaviors."""

    _results: "dict[str, testing.Result] | None" = None

    def collect(self) -> "Iterator[BehaviorItem]":
        try:
            names = testing.tests(self.path)
        except ValueError as error:
            raise self.CollectError(str(error)) from None
        for name in names:
            yield BehaviorItem.from_parent(self, name=name)

    def result(self, item: "BehaviorItem") -> testing.Result:
        """Returns the result of a test. All selected tests of a file are played together, each in a process of its own."""
        if self._results is None:
            wanted = [each for each in self.session.items if each.parent is self]
            only = item.name if len(wanted) == 1 else None
            self._results = {result.name: result for result in testing.play_tests(self.path, only)}
        return self._results[item.name]


class NotAsExpected(Exception):
    """A behavior did not do what its test expects."""


class BehaviorItem(pytest.Item):
    """A test of a test file."""

    def runtest(self) -> None:
        parent = self.parent
        assert isinstance(parent, BehaviorFile)
        result = parent.result(self)
        if not result.passed:
            raise NotAsExpected(result.text)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, (NotAsExpected, ValueError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> "tuple[pathlib.Path, int | None, str]":
        return self.path, None, self.name


@pytest.fixture
def behavior(request: pytest.FixtureRequest) -> Iterator[Callable[..., Run]]:
    """Opens behaviors for a test: `run = behavior("dance.xar")`, with a path relative to the folder of the test. The
    other arguments are those of `boxstep.Run`. All runs are closed when the test is over."""
    opened: "list[Run]" = []

    def open_behavior(file: "str | pathlib.Path | None" = None, *args: Any, **options: Any) -> Run:
        path = None if file is None else request.path.parent / file
        run = Run(path, *args, **options)
        opened.append(run)
        return run

    yield open_behavior
    for run in reversed(opened):
        run.close()
