"""Ends what scripts have started, when their run does: however either of them ends.

Scripts start programs and forks that go on without them, in sessions of their own, with parents that are gone. A
process beside theirs, the keeper, finds them all: whoever descends from the scripts' process, and whoever has the run's
mark, which a child inherits in its environment and, where that was emptied, in a resource limit. It comes from here by
a fork, before there is a second thread, and is all that is left to do so when the engine is killed.

Loaded by itself, in every Python: it imports nothing of this package.
"""
import os
import signal
import sys
import time

# Marks of the runs that a process is of, the innermost last. `boxstep_script::keeper` has the name, too.
MARK = "BOXSTEP_RUN"
# The limit that has the mark as a number (RLIMIT_RTTIME). It bounds how long a process with real-time priority may compute
# without a pause, which nobody limits by default; as a mark it is 146,000 years and more.
LIMIT, LIMIT_FROM = 15, 1 << 62
# How long the ended have for their last words, in seconds, and then for their end, which forks may delay.
GRACE, END = 0.3, 0.6


def keep():
    """Process host: parts this process in two. The keeper stays in here, as the parent; the other one returns."""
    _mark_limit()
    scripts = os.fork()
    if scripts == 0:
        # A group of their own: what a script sends to its group does not reach the keeper.
        os.setpgid(0, 0)
        return
    try:
        _guard(scripts)
    finally:
        os._exit(1)


def _guard(scripts):
    """Waits for the process of the scripts, ends what it leaves behind, then ends as it did."""
    left = [scripts]

    def end_scripts(*_):
        for pid in left:
            _send(pid, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end_scripts)
    _alone()
    # Whose parent ends is a child of the keeper then (PR_SET_CHILD_SUBREAPER).
    _prctl(36, 1)
    while left:
        pid, status = _wait(0)
        if pid == scripts:
            del left[:]
    _end(scripts)
    if os.WIFSIGNALED(status):
        _end_by(os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def watch():
    """Native host: starts a keeper of this process, where processes can be seen. Gives its number and a pipe that has a
    byte for each time that it was told (SIGTERM) to end what there is, and has. It ends with this process."""
    if not _sees():
        return None
    _mark_limit()
    told, done = os.pipe()
    mine = os.getpid()
    # Not lost, however early it comes.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    keeper = os.fork()
    if keeper:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(done)
        return keeper, told
    try:
        _keep_watch(mine, done)
    finally:
        os._exit(0)


def _keep_watch(mine, done):
    os.setsid()
    _alone(done)
    while os.getppid() == mine:
        if signal.sigtimedwait([signal.SIGTERM], 5) and os.getppid() == mine:
            _end(mine)
            os.write(done, b".")
    _end(mine)


def _sees():
    """Does this system show its processes?"""
    return os.path.isdir("/proc/self/task")


def _mark():
    """The run's mark; None if it has none."""
    marks = os.environ.get(MARK, "").split()
    return marks[-1] if marks else None


def _limit(mark):
    """A mark as a limit; None if it is no number."""
    try:
        return LIMIT_FROM + (int(mark, 16) >> 2)
    except (TypeError, ValueError):
        return None


def _mark_limit():
    """Gives this process, and so whatever it starts, the limit that is the run's mark. An environment can be emptied, and a
    session and a parent left; a limit stays unless it is changed on purpose."""
    limit = _limit(_mark())
    if limit is not None and sys.platform.startswith("linux"):
        try:
            import resource
            resource.setrlimit(LIMIT, (limit, resource.getrlimit(LIMIT)[1]))
        except Exception:
            pass  # Somebody bounds it already; the mark in the environment is left.


def _alone(*needed):
    """Holds on to nothing of the terminal's or the engine's but these, and hears of the engine's end (SIGTERM)."""
    for name in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGTTOU", "SIGTTIN", "SIGTSTP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    for fd in range(3, 256):
        if fd not in needed:
            try:
                os.close(fd)
            except OSError:
                pass
    _prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _prctl(what, value):
    """Only Linux has it."""
    if sys.platform.startswith("linux"):
        try:
            import ctypes
            ctypes.CDLL(None).prctl(what, int(value), 0, 0, 0)
        except Exception:
            pass


def _wait(how):
    while True:
        try:
            return os.waitpid(-1, how)
        except OSError as error:
            if error.errno != 4:  # EINTR, in Python 2
                raise


def _end_by(number):
    """Ends this process by a signal, and leaves no core of it."""
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


# ---- who there is ----------------------------------------------------------------------------------------------------


def _end(scripts):
    """Asks all of them to end, and ends who does not. `scripts` is the process that ran the scripts; it is spared."""
    if not _sees():
        return _end_group(scripts)
    mark = _mark()
    for number, most in ((signal.SIGTERM, GRACE), (signal.SIGKILL, END)):
        told, end = set(), time.time() + most
        while True:
            left = started(scripts, mark)
            if not left:
                return
            if time.time() > end:
                break
            for pid in left - told:
                _send(pid, number)
                _send(pid, signal.SIGCONT)
            told |= left
            time.sleep(0.005)


def _send(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass


def _end_group(scripts):
    """Systems that do not show their processes: the group of the scripts."""
    for number, most in ((signal.SIGTERM, GRACE), (signal.SIGKILL, 0)):
        try:
            os.killpg(scripts, number)
        except OSError:
            return
        time.sleep(most)


def started(scripts, mark):
    """The processes that scripts have started and that are still there, in a set."""
    spared = {os.getpid(), scripts}
    limit = _limit(mark)
    parents, marks = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        pid = int(name)
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
            if state in b"ZX":
                _reap(pid)
                continue
            parents[pid] = int(parent)
            with open("/proc/%s/environ" % name, "rb") as file:
                own = _marks(file.read())
            if own is None and limit is not None and _has_limit(name, limit):
                own = [mark]
            marks[pid] = own
        except (OSError, IOError):
            continue  # It has just ended, or is somebody else's.
    return {pid for pid in parents if pid not in spared and _is_of(pid, spared, mark, parents, marks)}


def _reap(pid):
    """Whoever has come to the keeper has nobody else."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except OSError:
        pass


def _marks(environment):
    """The marks in an environment; None if it has none."""
    start = MARK.encode("ascii") + b"="
    for entry in environment.split(b"\0"):
        if entry.startswith(start):
            return entry[len(start):].decode("ascii", "replace").split()
    return None


def _has_limit(name, limit):
    with open("/proc/%s/limits" % name, "rb") as file:
        for line in file:
            if line.startswith(b"Max realtime timeout"):
                return line.split()[3] == str(limit).encode("ascii")
    return False


def _is_of(pid, spared, mark, parents, marks):
    seen = set()
    while pid in parents and pid not in seen:
        own = marks.get(pid)
        if pid in spared:
            return True
        if own is not None:
            if mark in own:
                return True
            # What the engine itself has started, or a run of its own.
            return False
        seen.add(pid)
        pid = parents[pid]
    return False
