"""Exceptions with the author's lines, prints, and logs."""
import logging
import sys
import unittest

from fake import HEAD, Case, host, state


class Tracebacks(Case):
    def test_author_lines_only(self):
        self.box("    def onInput_onStart(self):\n        self.go()\n    def go(self):\n        self.nothing\n")
        kind, message, line, text = self.raises(AttributeError, self.call, 0)
        self.assertEqual((kind, line), ("AttributeError", 7))
        own = text[text.index('  File "dance.xar'):]
        self.assertEqual(own, (
            '  File "dance.xar: root/Box", line 5, in onInput_onStart\n    self.go()\n'
            '  File "dance.xar: root/Box", line 7, in go\n    self.nothing\n'
            "AttributeError: 'MyClass' object has no attribute 'nothing'\n"))

    def test_frames_of_the_runtime_are_not_shown(self):
        self.box("    def onInput_onStart(self):\n        ALProxy('Nothing')\n")
        _, message, line, text = self.raises(RuntimeError, self.call, 0)
        self.assertEqual((message, line), ("Cannot find service: Nothing", 5))
        self.assertNotIn("boxstep_runtime", text)
        self.assertEqual(text.splitlines()[-2:], ["    ALProxy('Nothing')", "RuntimeError: " + message])

    def test_causes_and_contexts(self):
        self.box("    def onInput_onStart(self):\n        try:\n            1 / 0\n        except ZeroDivisionError:\n"
                 "            raise ValueError('bad')\n")
        kind, _, line, text = self.raises(ValueError, self.call, 0)
        self.assertEqual((kind, line), ("ValueError", 8))
        self.assertIn("ZeroDivisionError: ", text)
        self.assertIn("\nDuring handling of the above exception, another exception occurred:\n", text)
        self.assertLess(text.index("ZeroDivisionError"), text.index("ValueError: bad"))

    def test_deep_recursion_is_short(self):
        self.box("    def onInput_onStart(self):\n        self.onInput_onStart()\n")
        kind, _, line, text = self.raises(RecursionError, self.call, 0)
        self.assertEqual(line, 5)
        self.assertLess(len(text.splitlines()), 20)
        self.assertIn("  [Previous line repeated ", text)

    def test_line_of_the_box_that_was_called(self):
        self.box("    def onInput_onStart(self):\n        self.session().registerService('Helper', self)\n"
                 "    def help(self):\n\n\n\n        raise ValueError('no')\n", path="root/Helper")
        self.box("    def onInput_onStart(self):\n        self.session().service('Helper').help()\n", path="root/User")
        self.call(0)
        kind, message, line, text = self.raises(RuntimeError, self.call, 1)
        self.assertEqual((message, line), ("ValueError: no", 5))
        self.assertLess(text.index("root/Helper\", line 10"), text.index("root/User\", line 5"))

    def test_boxes_with_one_text_show_their_own_path(self):
        from fake import INFO
        host.load(0, HEAD + "    def onLoad(self):\n        self.x\n", "dance.xar", False, "root/A")
        for number, path in ((0, "root/A"), (1, "root/B")):
            host.construct(number, 0, dict(INFO, path=path))
        text = self.raises(AttributeError, self.call, 1, "onLoad")[3]
        self.assertIn('File "dance.xar: root/B", line 5', text)
        self.assertNotIn("root/A", text)

    def test_syntax_error_has_the_line_of_the_script(self):
        kind, message, line, text = self.raises(SyntaxError, self.box, HEAD + "    def onLoad(self):\n        x = = 1\n")
        self.assertEqual((kind, line), ("SyntaxError", 5))
        self.assertIn('File "dance.xar: root/Box", line 5', text)

    def test_syntax_error_of_a_module_is_not_the_scripts(self):
        error = SyntaxError("invalid syntax", ("/somewhere/helper.py", 99, 1, "x = = 1\n"))
        self.assertEqual(host.explain(error)[:3], ("SyntaxError", "invalid syntax", None))

    def test_exit_and_interrupt_are_failures(self):
        self.box("    def a(self):\n        import sys\n        sys.exit(3)\n    def b(self):\n"
                 "        raise KeyboardInterrupt()\n")
        self.assertEqual(self.raises(SystemExit, self.call, 0, "a")[:3], ("SystemExit", "3", 6))
        self.assertEqual(self.raises(KeyboardInterrupt, self.call, 0, "b")[:3], ("KeyboardInterrupt", "", 8))

    def test_an_exception_that_cannot_be_printed(self):
        self.box("class Bad(Exception):\n    def __str__(self):\n        return 1 / 0\n" + HEAD +
                 "    def onLoad(self):\n        raise Bad()\n")
        self.assertEqual(self.raises(Exception, self.call, 0, "onLoad")[1], "<unprintable Bad object>")

    def test_a_failing_destructor_is_reported(self):
        self.box("    def __del__(self):\n        self.nothing\n")
        host.drop(0)
        self.assertEqual([e[1] for e in self.bridge.of("uncaught")], ["AttributeError"])

    def test_a_failing_thread_is_reported_with_its_box(self):
        self.box("    def onInput_onStart(self):\n        import threading\n"
                 "        t = threading.Thread(target=self.work)\n        t.start()\n        t.join()\n"
                 "    def work(self):\n        raise ValueError('in thread')\n")
        self.call(0)
        self.assertEqual(self.bridge.of("uncaught"), [(0, "ValueError", "in thread", 10)])
        self.assertEqual(self.bridge.traceback.count("  File "), 1)


class Caller(Case):
    def test_code_that_a_script_runs_has_the_line_of_the_script(self):
        self.box("    def onInput_onStart(self):\n        exec('\\n\\n\\nALProxy(\"Nothing\")')\n")
        self.raises(RuntimeError, self.call, 0)
        self.assertEqual(self.bridge.of("no service"), [(0, 5, "Nothing")])

    def test_nobody(self):
        self.assertEqual(host.caller(), (-1, 0))


class Printing(Case):
    def test_whole_lines_with_box_and_line(self):
        self.box("    def onInput_onStart(self):\n        import sys\n        sys.stdout.write('a')\n"
                 "        sys.stdout.write('b\\nc\\nd')\n        sys.stderr.write('e\\n')\n        sys.stdout.flush()\n")
        self.call(0)
        self.assertEqual(self.bridge.of("print"), [(0, 7, "ab\nc", False), (0, 8, "e", True), (0, 9, "d", False)])

    def test_boxes_do_not_mix(self):
        text = "    def a(self):\n        import sys\n        sys.stdout.write('%s')\n" \
               "    def b(self):\n        print('.')\n"
        self.box(text % "x")
        self.box(text % "y")
        for number, method in ((0, "a"), (1, "a"), (0, "b"), (1, "b")):
            self.call(number, method)
        self.assertEqual([e[2] for e in self.bridge.of("print")], ["x.", "y."])

    def test_what_is_begun_is_told_at_the_end(self):
        self.box("    def a(self):\n        import sys\n        sys.stdout.write('half')\n")
        self.call(0, "a")
        host.drop(0)
        self.assertEqual(self.bridge.of("print"), [(0, 0, "half", False)])

    def test_outside_of_boxes(self):
        print("nobody")
        self.assertEqual(self.bridge.of("print"), [(-1, 0, "nobody", False)])

    def test_it_is_a_stream(self):
        self.assertFalse(sys.stdout.isatty())
        self.assertEqual(sys.stdout.encoding, "utf-8")
        self.assertRaises(OSError, sys.stdout.fileno)
        self.assertRaises(TypeError, sys.stdout.write, 3)
        sys.stdout.buffer.write(b"\xc3\xa9\n")
        self.assertEqual(self.bridge.of("print")[0][2], "\xe9")


class Logging(Case):
    def test_levels(self):
        text = "    def onInput_onStart(self):\n"
        for level in ("debug", "info", "warn", "warning", "error", "fatal", "critical"):
            text += "        self.logger.%s('%%s %%d', 'a', 1)\n" % level
        self.box(text + "        self.log('50%')\n")
        self.call(0)
        levels = ["debug", "info", "warning", "warning", "error", "fatal", "fatal"]
        wanted = [(0, 5 + n, level, "a 1") for n, level in enumerate(levels)] + [(0, 12, "info", "50%")]
        self.assertEqual(self.bridge.of("log"), wanted)

    def test_mistakes_raise_or_are_logged(self):
        self.box("    def a(self):\n        self.logger('x')\n    def b(self):\n        self.logger.info('x', 1)\n"
                 "    def c(self):\n        self.logger.info(None)\n        self.logger.info(ValueError('e'))\n")
        self.assertEqual(self.raises(TypeError, self.call, 0, "a")[2], 5)
        self.call(0, "b")
        self.call(0, "c")
        self.assertTrue(self.bridge.of("log")[0][3].startswith("x (1,)"))
        self.assertEqual([e[3] for e in self.bridge.of("log")[1:]], ["None", "e"])

    def test_exception(self):
        self.box("    def a(self):\n        try:\n            self.x\n        except AttributeError:\n"
                 "            self.logger.exception('oops')\n")
        self.call(0, "a")
        (entry,) = self.bridge.of("log")
        self.assertEqual(entry[:3], (0, 8, "error"))
        self.assertTrue(entry[3].startswith("oops\nTraceback"))
        self.assertNotIn("boxstep_runtime", entry[3])

    def test_takes_no_lock_of_others(self):
        self.box("    def a(self):\n        self.logger.info('x')\n")
        lock, logging._lock = logging._lock, "taken"  # cannot be acquired
        try:
            self.call(0, "a")
        finally:
            logging._lock = lock
        self.assertEqual(len(self.bridge.of("log")), 1)

    def test_levels_can_be_raised(self):
        self.box("    def a(self):\n        self.logger.setLevel('WARNING')\n        self.logger.info('x')\n"
                 "        self.logger.error('y')\n        self.logger.disabled = True\n        self.logger.error('z')\n")
        self.call(0, "a")
        self.assertEqual([e[3] for e in self.bridge.of("log")], ["y"])

    def test_a_handler_of_the_authors(self):
        self.box(HEAD + "    def a(self):\n        import logging\n        box = self\n"
                 "        class Handler(logging.Handler):\n            def emit(self, record):\n"
                 "                box.value(record.getMessage())\n"
                 "        self.logger.addHandler(Handler())\n        self.logger.info('x')\n")
        self.call(0, "a")
        self.assertEqual(self.outputs(), [("value", "x")])
        self.assertEqual(len(self.bridge.of("log")), 1)


if __name__ == "__main__":
    unittest.main()
