# Arguments: the native module's file ("" to import an installed one), its build, its function, then the command line.
import sys
# `-c` puts the current folder first: a json.py there must not shadow the standard library's.
if sys.path and sys.path[0] == "":
    del sys.path[0]
file, build, function = sys.argv[1:4]
del sys.argv[0:4]


def refuse(text):
    sys.stderr.write("boxstep: " + text + "\n")
    sys.exit(2)


if sys.version_info < (3, 9) or sys.implementation.name != "cpython":
    refuse("%s is Python %d.%d; box scripts need CPython 3.9 or newer. Name one with --python or BOXSTEP_PYTHON,\n"
           "or play everything but the scripts with --scripts off. Python 2.7 can run them with --scripts process." % ((sys.executable,) + tuple(sys.version_info[:2])))
try:
    if file:
        from importlib.machinery import ExtensionFileLoader
        from importlib.util import module_from_spec, spec_from_file_location
        # The package around it comes when somebody asks for it.
        name = "boxstep.boxstep_native"
        loader = ExtensionFileLoader(name, file)
        native = module_from_spec(spec_from_file_location(name, file, loader=loader))
        loader.exec_module(native)
        sys.modules[name] = native
    else:
        from boxstep import boxstep_native as native
except ImportError as error:
    refuse("cannot load the part of Boxstep that runs scripts: %s\n"
           "`cargo build` and `pip install` bring it; `cargo install` alone does not. Without scripts: --scripts off." % error)
if native.BUILD_ID != build:
    refuse("%s is of another build (%s) than this command (%s). Build or install both together."
           % (file or native.__file__, native.BUILD_ID, build))
getattr(native, function)(sys.argv)
