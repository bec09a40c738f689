"""`qi.path`: the folders for an application's files, as libqi uses them on Linux."""
import os


def _home(variable, *default):
    return os.environ.get(variable) or os.path.join(os.path.expanduser("~"), *default)


def _made(path):
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.makedirs(folder)
    return path


def sdkPrefix():
    return ""


def userWritableDataPath(application, file=""):
    """Returns a path for writing data; creates its folder."""
    return _made(os.path.join(_home("XDG_DATA_HOME", ".local", "share"), application, file))


def userWritableConfPath(application, file=""):
    """Returns a path for writing settings; creates its folder."""
    return _made(os.path.join(_home("XDG_CONFIG_HOME", ".config"), application, file))


def dataPaths(application=""):
    """Returns the folders of data, the user's first."""
    homes = [_home("XDG_DATA_HOME", ".local", "share"), "/usr/local/share", "/usr/share"]
    return [os.path.join(home, application) for home in homes]


def confPaths(application=""):
    """Returns the folders of settings, the user's first."""
    homes = [_home("XDG_CONFIG_HOME", ".config"), "/etc"]
    return [os.path.join(home, application) for home in homes]


def _first(folders, file):
    for folder in folders:
        path = os.path.join(folder, file)
        if os.path.exists(path):
            return path
    return ""


def findData(application, file, excludeUserWritablePath=False):
    """Returns the first data file with that name; empty if there is none."""
    return _first(dataPaths(application)[1 if excludeUserWritablePath else 0:], file)


def findConf(application, file, excludeUserWritablePath=False):
    """Returns the first settings file with that name; empty if there is none."""
    return _first(confPaths(application)[1 if excludeUserWritablePath else 0:], file)


def listData(application, pattern="*"):
    """Returns the data files that match, each from the first folder that has it."""
    import glob
    found = {}
    for folder in dataPaths(application):
        for path in sorted(glob.glob(os.path.join(folder, pattern))):
            if os.path.isfile(path):
                found.setdefault(os.path.relpath(path, folder), path)
    return [found[name] for name in sorted(found)]


def findBin(name, searchInPath=False):
    """Returns the path of a program; empty if there is none."""
    return _first(os.environ.get("PATH", "").split(os.pathsep) if searchInPath else ["/usr/local/bin", "/usr/bin"], name)


def findLib(name):
    """Returns the path of a library; empty if there is none."""
    return _first(["/usr/local/lib", "/usr/lib"], name)
