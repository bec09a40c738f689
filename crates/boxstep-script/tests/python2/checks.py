# -*- coding: utf-8 -*-
"""Properties that recorded output cannot show: positions, tracebacks, imports, lifetimes, and the isolation of scripts."""
import builtins
import gc
import io
import os
import string
import sys
import traceback
import types
import unittest
import weakref

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "folder")
py2 = rewrite = None


def run(text, name="box:root/Say", **space):
    scope = py2.script_globals()
    scope.update(space)
    exec(py2.compile_script(text, name), scope)
    return scope


class Positions(unittest.TestCase):
    def test_traceback_shows_the_authors_line(self):
        text = "def f():\n\tprint 'x',\n\tassert `1`, 2\n\traise ValueError, 'oops'\n"
        sys.stdout, out = io.StringIO(), sys.stdout
        try:
            run(text)["f"]()
        except ValueError:
            shown = traceback.format_exc()
        finally:
            sys.stdout = out
        # Nothing is marked below the line, because the columns are those of the rewritten text.
        self.assertIn('File "box:root/Say", line 4, in f\n    raise ValueError, \'oops\'\nValueError: oops\n', shown)

    def test_syntax_error_shows_the_authors_line(self):
        with self.assertRaises(SyntaxError) as caught:
            run("x = 1\nprint 'a' 'b' if\n")
        self.assertEqual((caught.exception.lineno, caught.exception.text), (2, "print 'a' 'b' if\n"))
        "".join(traceback.format_exception_only(SyntaxError, caught.exception))

    def test_every_line_keeps_its_number(self):
        text = "def f((a,\n       b),\n      c):\n    try:\n        a / 0\n    except (ValueError,\n            TypeError), e:\n        pass\n"
        try:
            run(text)["f"]((1, 2), 3)
            frames = []
        except ZeroDivisionError as error:
            frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == "box:root/Say"]
        self.assertEqual(lines, [5])

    def test_other_separators_end_no_line(self):
        scope = run(u"# \u2028 \x0c \x85\nimport sys\nclass A: pass\nA.async = sys._getframe().f_lineno\n")
        self.assertEqual(getattr(scope["A"], "async"), 4)

    def test_no_warning_about_old_escapes(self):
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(run('x = "\\RSPD=80\\ "; y = 1 is 1')["x"], "\\RSPD=80\\ ")


    def test_every_refusal_is_a_syntax_error(self):
        deep = "if x: pass\n" + "elif x: y = 1\n" * 9000
        for text in ("\0", "x = \0", "(" * 9000, deep, "x = 1 +", "  x", "\u20ac = 1"):
            with self.assertRaises(SyntaxError):
                run(text)

    def test_long_chains(self):
        text = "x = 699\nif x == -1: y = 0\n" + "".join("elif x == %d: y = %d / 2\n" % (i, i) for i in range(700))
        scope = run(text + "z = " + " + ".join(["x"] * 700) + "\n")
        self.assertEqual((scope["y"], scope["z"]), (349, 699 * 700))


class Leaks(unittest.TestCase):
    def test_where_nothing_reads_it_a_comprehension_stays_as_it_is(self):
        self.assertNotIn("x", run("y = [x for x in (1, 2)]"))
        self.assertEqual(run("y = [x for x in (1, 2)]\ndef f(): return x\nz = f()")["z"], 2)

    def test_positions_where_python_3_forbids_it_stay_valid(self):
        for text in ("a = [y for y in [x for x in (1, 2)]], 0 if 1 else x",
                     "x = 0\na = [y for y in (lambda: [x for x in (1,)])()], x",
                     "x = 0\na = list(y for y in (1,) if [x for x in (1,)]), x",
                     "x = 0\nclass A:\n    b = [x for x in (1, 2)]\n    c = x\n",
                     "x = 0\na = {1: [x for x in (1,)]}, [[x for x in (2,)] for x in [x for x in (3,)]], x",
                     "class B: pass\nb = B()\na = [b.x for b.x in (1, 2)], b.x\n",
                     "x = 0\na = dict((k, [x for x in (k,)]) for k in (1,)), x\n"):
            run(text)

    def test_several_names_and_conditions(self):
        scope = run("a = [i + k + v for i, (k, v) in [(1, (2, 3)), (4, (5, 6))] if k > 2 for w in (i, v)]\n"
                    "b = i, k, v, w\n")
        self.assertEqual((scope["a"], scope["b"]), ([15, 15], (4, 5, 6, 6)))

    def test_a_global_stays_global(self):
        self.assertEqual(run("x = 0\ndef f():\n    global x\n    [x for x in (7,)]\n    return x\nf()\n")["x"], 7)


class Keywords(unittest.TestCase):
    def test_attributes_of_modules_are_found(self):
        qi = types.ModuleType("qi")
        setattr(qi, "async", lambda f, delay=0: f() + delay)
        sys.modules["qi_stand_in"] = qi
        scope = run("import qi_stand_in as qi\nx = qi.async(lambda: 1, delay=2)\nfrom qi_stand_in import async\ny = async(lambda: 3)\n")
        self.assertEqual((scope["x"], scope["y"]), (3, 3))
        self.assertIn("async", scope)

    def test_a_name_with_an_underscore_is_the_authors(self):
        scope = run("class A: pass\na = A()\na.async_ = 1\nb = A()\nb.async = 2\nx = vars(a), vars(b)\n")
        self.assertEqual(scope["x"], ({"async_": 1}, {"async": 2}))

    def test_keyword_arguments_and_globals(self):
        scope = run("def f(**k): return k\nx = f(async=1, await=2)\ndef g():\n    global nonlocal\n    nonlocal = 3\ng()\n")
        self.assertEqual((scope["x"], scope["nonlocal"]), ({"async": 1, "await": 2}, 3))


class Lifetimes(unittest.TestCase):
    def destroyed(self, text):
        gc.disable()
        try:
            box = run(text)["Box"]()
            gone = weakref.ref(box)
            box.go()
            del box
            return gone() is None
        finally:
            gc.enable()

    def test_a_caught_exception_does_not_keep_its_box(self):
        self.assertTrue(self.destroyed(
            "class Box:\n  def go(self):\n    try: self.missing\n    except Exception, e: x = str(e)\n"))

    def test_nor_does_one_that_is_used_later(self):
        self.assertTrue(self.destroyed(
            "class Box:\n  def go(self):\n    try: self.missing\n    except Exception, e: pass\n    return e.message\n"))


class Imports(unittest.TestCase):
    def setUp(self):
        self.finder = py2.install_imports([FOLDER])
        self.path = list(sys.path)
        self.out, sys.stdout = sys.stdout, io.StringIO()

    def tearDown(self):
        sys.stdout = self.out
        sys.path[:] = self.path
        self.finder.uninstall()

    def test_modules_of_the_folder_are_python_2(self):
        scope = run("import helper\nx = helper.half(9)\nn = helper.NAME\n")
        self.assertEqual((scope["x"], scope["n"], sys.stdout.getvalue()), (4, u"\xe9", "helper 3\n"))
        self.finder.uninstall()
        self.assertNotIn("helper", sys.modules)

    def test_packages_look_beside_themselves_first(self):
        scope = run("import pack\nfrom pack import sub\nimport pack.sub.leaf as leaf\nx = pack.value, pack.sibling.value, leaf.leaf\n")
        self.assertEqual(scope["x"], (4, 4, 0))
        self.assertNotIn("sibling", sys.modules)

    def test_the_standard_library_comes_first(self):
        self.assertEqual(run("import json\nx = json.dumps([1])")["x"], "[1]")

    def test_a_folder_within_that_a_script_adds(self):
        with self.assertRaises(ImportError):
            run("import deep")
        run("import sys, os\nsys.path.append(folder + '/lib')\nimport deep", folder=FOLDER)
        self.assertEqual(sys.stdout.getvalue(), "deep 2\n")

    def test_tracebacks_of_modules_show_their_lines(self):
        try:
            run("import helper\nhelper.fails()")
            last = None
        except NameError as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
        self.assertEqual((last.lineno, last.line), (7, "return undefined_name"))

    def test_reload(self):
        run("import helper, sys\nhelper.NAME = 1\nreload(helper)\nassert helper.NAME != 1\nreload(sys)\n")
        self.assertEqual(sys.stdout.getvalue(), "helper 3\n" * 2)

    def test_c_code_imports_through_the_script(self):
        scope = run("import datetime\nx = datetime.datetime.strptime('2020', '%Y').year\nimport time\ny = time.strptime('2020', '%Y')[0]")
        self.assertEqual((scope["x"], scope["y"]), (2020, 2020))

    def test_views_leave_the_real_modules_alone(self):
        scope = run("import string, sys, os, time\nx = string.letters, sys.maxint, os.getcwdu\nsys.maxint = 5\nn = __name__\n")
        self.assertEqual(scope["x"][0], string.ascii_letters)
        for module, name in ((string, "letters"), (sys, "maxint"), (os, "getcwdu")):
            self.assertFalse(hasattr(module, name), name)
        self.assertFalse(hasattr(builtins, "unicode"))
        self.assertFalse(hasattr(builtins, "__py2_div__"))

    def test_views_pass_changes_on_when_used(self):
        import time
        scope = run("import time\ndef now(): return time.time()\n")
        real, time.time = time.time, lambda: 42
        try:
            self.assertEqual(scope["now"](), 42)
        finally:
            time.time = real


class Files(unittest.TestCase):
    def test_bytes_survive_a_round_trip_as_text(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data")
            with open(path, "wb") as out:
                out.write(b"\xff\xfe\x00caf\xc3\xa9\r\n")
            run("data = open(path).read()\nf = open(path + '2', 'wb')\nf.write(data)\nf.close()\n", path=path)
            with open(path, "rb") as a, open(path + "2", "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_pickle_of_text_files(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            text = "import pickle\nf = open(path, mode)\npickle.dump([1, 'a'], f)\nf.close()\nx = pickle.load(open(path))\n"
            for mode in ("w", "wb"):
                scope = run(text, path=os.path.join(folder, "p"), mode=mode)
                self.assertEqual(scope["x"], [1, "a"])

    def test_urllib_answers_text(self):
        import http.server
        import threading

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("X-Test", "yes")
                self.end_headers()
                self.wfile.write(b"got " + body + b"\n\xc3\xa9")

            def log_message(self, *args):
                pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            scope = run(
                "# -*- coding: utf-8 -*-\nimport urllib, urllib2, httplib\n"
                "r = urllib2.urlopen(url, urllib.urlencode({'a': 'b'}))\n"
                "x = r.read().split('\\n'), r.info().getheader('X-Test'), r.getcode()\n"
                "y = urllib.urlopen(url, 'é').read()\n"
                "c = httplib.HTTPConnection('127.0.0.1', port)\nc.request('POST', '/', 'body')\nz = c.getresponse().read()[:8]\n"
                "c.close()\n",
                url="http://127.0.0.1:%d/" % server.server_port, port=server.server_port)
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
        self.assertEqual(scope["x"], (["got a=b", u"\xe9"], "yes", 200))
        self.assertEqual((scope["y"], scope["z"]), (u"got \xe9\n\xe9", "got body"))

    def test_a_server_of_python_2(self):
        scope = run(
            "import BaseHTTPServer, threading, urllib2\n"
            "class Handler(BaseHTTPServer.BaseHTTPRequestHandler):\n"
            "    def do_POST(self):\n"
            "        n = int(self.headers.getheader('content-length'))\n"
            "        body = self.rfile.read(n)\n"
            "        self.send_response(200)\n"
            "        self.end_headers()\n"
            "        self.wfile.write('you said ' + body)\n"
            "    def log_message(self, *args): pass\n"
            "s = BaseHTTPServer.HTTPServer(('127.0.0.1', 0), Handler)\n"
            "t = threading.Thread(target=s.handle_request)\n"
            "t.start()\n"
            "x = urllib2.urlopen('http://127.0.0.1:%d' % s.server_port, 'hello').read()\n"
            "t.join(); s.server_close()\n")
        self.assertEqual(scope["x"], "you said hello")


class Numbers(unittest.TestCase):
    def test_integer_types_of_numpy_floor(self):
        class Int(object):
            class dtype(object):
                kind = "i"

            def __init__(self, value):
                self.value = value

            def __floordiv__(self, other):
                return ("floor", self.value // other)

            def __truediv__(self, other):
                return ("true", self.value / other)
        scope = run("x = n / 2, n / 2.0", n=Int(7))
        self.assertEqual(scope["x"], (("floor", 3), ("true", 3.5)))


class Code(unittest.TestCase):
    def test_eval_and_exec_read_python_2_in_the_callers_scope(self):
        scope = run("def f(a):\n    b = 2\n    return eval('a / b')\nx = f(7)\nexec 'print_me = `1`'\ng = {}\nexec 'y = 5 / 2' in g\n")
        self.assertEqual((scope["x"], scope["print_me"], scope["g"]["y"]), (3, "1", 2))

    def test_execfile(self):
        out, sys.stdout = sys.stdout, io.StringIO()
        try:
            scope = run("execfile(path)\nx = half(5)\n", path=os.path.join(FOLDER, "helper.py"))
        finally:
            sys.stdout = out
        self.assertEqual(scope["x"], 2)

    def test_scripts_share_nothing_but_builtins(self):
        run("only_here = 1\nrange = None\n")
        with self.assertRaises(NameError):
            run("only_here")
        self.assertEqual(run("x = range(2)")["x"], [0, 1])


def main(bridge, rewriter):
    global py2, rewrite
    py2, rewrite = bridge, rewriter
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(stream=sys.stderr, verbosity=1).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1
