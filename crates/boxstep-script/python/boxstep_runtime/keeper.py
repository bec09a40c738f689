"""Ends the processes that scripts have started when their run ends, however the run or the engine ends.

Scripts start programs and forks that outlive them, with sessions of their own and with parents that have ended. The
keeper, a process beside the scripts' process, finds all of them: descendants of the scripts' process, and processes
with the run's mark, which a child inherits in its environment and, where that was emptied, in a resource limit. The
keeper is created by a fork of this process before there is a second thread, and survives if the engine is killed.

Loaded by itself, in every Python: it imports nothing of this package.
"""
import os
import signal
import sys
import time

# The environment variable with the marks of the runs that a process belongs to, the innermost last.
# `boxstep_script::keeper` has the same name.
MARK = "BOXSTEP_RUN"
# The resource limit that holds the mark as a number (RLIMIT_RTTIME). It bounds how long a process with real-time
# priority may compute without a pause, and is unlimited by default; a mark stands for 146,000 years or more.
LIMIT, LIMIT_FROM = 15, 1 << 62
# How long the processes may take to end by themselves, and then to be gone after SIGKILL, in seconds. Forks may delay
# the latter.
GRACE, END = 0.3, 0.6


def keep():
    """Process host: splits this process. The keeper stays in the parent; the child returns."""
    _mark_limit()
    scripts = os.fork()
    if scripts == 0:
        # A process group of their own, so that signals of a script to its group do not reach the keeper.
        os.setpgid(0, 0)
        return
    try:
        _guard(scripts)
    finally:
        os._exit(1)


def _guard(scripts):
    """Waits for the process of the scripts, ends what it leaves behind, then ends with the same status."""
    left = [scripts]

    def end_scripts(*_):
        for pid in left:
            _send(pid, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end_scripts)
    _alone()
    # Orphaned descendants become children of the keeper (PR_SET_CHILD_SUBREAPER).
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
    """Native host: starts a keeper of this process, where processes can be listed. Returns its process id and a pipe,
    on which the keeper writes a byte each time that it has ended all processes after a SIGTERM. The keeper ends with
    this process."""
    if not _sees():
        return None
    _mark_limit()
    told, done = os.pipe()
    mine = os.getpid()
    # Blocked, so that an early signal is not lost.
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
    """Whether this system lists its processes in /proc."""
    return os.path.isdir("/proc/self/task")


def _mark():
    """Returns the run's mark; None if there is none."""
    marks = os.environ.get(MARK, "").split()
    return marks[-1] if marks else None


def _limit(mark):
    """Returns the resource limit for a mark; None if the mark is not a number."""
    try:
        return LIMIT_FROM + (int(mark, 16) >> 2)
    except (TypeError, ValueError):
        return None


def _mark_limit():
    """Sets the resource limit with the run's mark for this process and its descendants. They can empty the environment
    and leave the session and the parent; a limit stays unless it is changed on purpose."""
    limit = _limit(_mark())
    if limit is not None and sys.platform.startswith("linux"):
        try:
            import resource
            resource.setrlimit(LIMIT, (limit, resource.getrlimit(LIMIT)[1]))
        except Exception:
            pass  # The limit is bounded already; the mark in the environment remains.


def _alone(*needed):
    """Detaches this process from the terminal and from the engine's files, except those in `needed`, and requests
    SIGTERM at the engine's end."""
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
    """Calls prctl, which only Linux has."""
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
    """Ends this process by a signal, without a core dump."""
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


# ---- finding the processes ------------------------------------------------------------------------------------------


def _end(scripts):
    """Asks all processes of the run to end, and kills those that do not. `scripts` is the process that ran the scripts,
    which is spared."""
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
    """For systems that do not list their processes: ends the process group of the scripts."""
    for number, most in ((signal.SIGTERM, GRACE), (signal.SIGKILL, 0)):
        try:
            os.killpg(scripts, number)
        except OSError:
            return
        time.sleep(most)


def started(scripts, mark):
    """Returns the set of processes that scripts have started and that are still running."""
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
            continue  # The process has just ended, or belongs to another user.
    return {pid for pid in parents if pid not in spared and _is_of(pid, spared, mark, parents, marks)}


def _reap(pid):
    """Reaps a process that has become a child of the keeper."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except OSError:
        pass


def _marks(environment):
    """Returns the marks in an environment; None if it has none."""
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
            # A process of the engine itself, or a run of its own.
            return False
        seen.add(pid)
        pid = parents[pid]
    return False
