//! Findings in scripts, with the `python3` of this system.

use boxstep_bodies::BodyKind;
use boxstep_check::{Context, Python, Remnant, Rewriter, Rewritten, Scripts, check, codes};
use boxstep_format::{Limits, XarFile, read_xar};
use boxstep_types::{Code, Diagnostic, Severity};
use std::time::Duration;

/// A rewriter for `print x` only, which shows what a rewriter has to do.
struct Prints;

impl Rewriter for Prints {
    fn rewrite(&self, source: &str) -> Rewritten {
        let is_python_3 = source.starts_with("#!python3");
        if is_python_3 {
            return Rewritten { text: source.to_owned(), edits: Vec::new(), is_python_3 };
        }
        let edits = source.match_indices("print ").map(|(at, _)| (at, Remnant::Print)).collect();
        let line = |l: &str| match l.split_once("print ") {
            Some((before, after)) => format!("{before}print({after})"),
            None => l.to_owned(),
        };
        Rewritten { text: source.split('\n').map(line).collect::<Vec<_>>().join("\n"), edits, is_python_3 }
    }
}

fn python() -> Python {
    Python::new("python3", "the test")
}

const PORTS: &str = r#"<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>
<Output name="count" type="2" type_size="1" nature="2" inner="0" tooltip="" id="5"/>
<Output name="any" type="0" type_size="1" nature="2" inner="0" tooltip="" id="6"/>
<Parameter name="Own" inherits_from_parent="0" content_type="3" value="" default_value="" tooltip="" id="7"/>"#;

/// Returns a file with these scripts, each in a box inside the root, which has the parameter `Above`.
fn file(scripts: &[&str]) -> XarFile {
    let boxes: String = scripts
        .iter()
        .enumerate()
        .map(|(i, script)| {
            let id = i + 1;
            format!(
                "<Box name=\"B{id}\" id=\"{id}\"><script language=\"4\"><content>\n<![CDATA[{script}]]></content></script>{PORTS}</Box>\
                 <Link inputowner=\"{id}\" indexofinput=\"2\" outputowner=\"0\" indexofoutput=\"2\"/>"
            )
        })
        .collect();
    let text = format!(
        "<ChoregrapheProject xar_version=\"3\"><Box name=\"root\" id=\"-1\">\
         <Input name=\"onStart\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"2\"/>\
         <Parameter name=\"Above\" inherits_from_parent=\"0\" content_type=\"3\" value=\"\" default_value=\"\" tooltip=\"\" id=\"9\"/>\
         <Timeline enable=\"0\"><BehaviorLayer name=\"l\"><BehaviorKeyframe name=\"k\" index=\"1\"><Diagram>{boxes}</Diagram>\
         </BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"
    );
    let file = read_xar("test.xar", text.as_bytes(), &Limits::default()).unwrap();
    assert!(file.findings.is_empty(), "{:?}", file.findings);
    file
}

fn read(file: &XarFile, python: &Python) -> Scripts {
    let mut scripts = Scripts::new();
    scripts.add(file);
    scripts.read(python, &Prints);
    scripts
}

fn found_in(file: &XarFile) -> Vec<Diagnostic> {
    let scripts = read(file, &python());
    assert_eq!(scripts.not_checked(), None);
    let services = scripts.offers(file);
    let body = Some(BodyKind::Nao.body());
    check(file, &Context { scripts: Some(&scripts), services: &services, body, ..Context::default() }).behavior
}

fn method(body: &str) -> String {
    format!(
        "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        {}\n",
        body.replace('\n', "\n        ")
    )
}

/// Checks the findings about a box's method: code, severity, and the text at the span.
fn expect(script: &str, want: &[(Code, Severity, &str)]) -> Vec<Diagnostic> {
    let file = file(&[script]);
    let found = found_in(&file);
    let seen: Vec<_> = found.iter().map(|d| (d.code, d.severity, file.sources.slice(d.span.unwrap()))).collect();
    assert_eq!(seen, want, "{found:#?}");
    assert!(found.iter().all(|d| d.path.as_ref().unwrap().to_string() == "root/B1"));
    found
}

use Severity::{Error, Note, Warning};

#[test]
fn a_script_without_mistakes_has_no_findings() {
    expect(
        &method(
            "self.onStopped()\nself.any()\nself.any(1)\nself.count(3)\nself.helper()\nself.getParameter('Own')\n\
             self.getParameter('Above')\nself.stimulateIO('count', 1)\nself.log('x')\nself.x = len\nself.x([1])\nself.getName()",
        )
        .replace("    def onInput", "    def helper(self): pass\n    def onInput"),
        &[],
    );
}

#[test]
fn what_parses_in_neither_python_is_an_error_at_its_line() {
    let findings = expect(
        "class MyClass(GeneratedClass):\n    def f(self)\n        pass",
        &[(codes::SCRIPT_SYNTAX, Error, "def f(self)")],
    );
    assert_eq!(findings[0].notes[0].message, "line 2, column 16 of the script");
    expect("return 5", &[(codes::SCRIPT_SYNTAX, Error, "return 5")]);
    // The rewriter breaks this script, but Python 3 parses the original.
    expect("x = 'print a, b'\n", &[(codes::PYTHON_2, Note, "x = 'print a, b'")]);
}

#[test]
fn python_2_is_told_once_per_kind_with_what_it_becomes() {
    let findings = expect(
        &method("print 7 / 2\nprint 3\nx = {}\nx.has_key(1)\nimport urllib2\nprint unicode('x')\ny = 1.0 / 2"),
        &[
            (codes::PYTHON_2, Note, "print 7 / 2"),
            (codes::PYTHON_2, Note, "print 7 / 2"),
            (codes::PYTHON_2, Note, "x.has_key(1)"),
            (codes::PYTHON_2, Note, "import urllib2"),
            (codes::PYTHON_2, Note, "print unicode('x')"),
        ],
    );
    assert_eq!(findings[0].message, "Python 2: a print statement, read as the function `print(…)`");
    assert_eq!(findings[0].notes[0].message, "on 3 lines");
}

#[test]
fn a_script_that_says_it_is_python_3_is_read_as_that() {
    let script = method("print(3 / self.x)\nself.x.iteritems()");
    let line = |at| (codes::PYTHON_2, Note, at);
    expect(&script, &[line("print(3 / self.x)"), line("self.x.iteritems()")]);
    expect(&format!("#!python3\n{script}"), &[]);
    let broken = format!("#!python3\n{}", method("print 3"));
    let findings = expect(&broken, &[(codes::SCRIPT_SYNTAX, Error, "print 3")]);
    assert!(
        findings[0].message.starts_with("the script is not valid Python 3, although it says so: "),
        "{}",
        findings[0].message
    );
}

#[test]
fn outputs_that_the_box_does_not_declare() {
    let findings = expect(&method("self.onStoped()"), &[(codes::UNDECLARED_OUTPUT, Error, "onStoped")]);
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `onStopped`?"));
    expect(
        &method("try:\n    self.gone()\nexcept AttributeError:\n    pass"),
        &[(codes::UNDECLARED_OUTPUT, Note, "gone")],
    );
    expect(&method("if hasattr(self, 'gone'):\n    self.gone()"), &[(codes::UNDECLARED_OUTPUT, Note, "gone")]);
    expect(&method("self.stimulateIO('gone', 1)"), &[(codes::UNDECLARED_OUTPUT, Error, "gone")]);
    expect(&method("self.count()"), &[(codes::OUTPUT_ARGUMENTS, Error, "count")]);
    expect(&method("self.onStopped(1, 2)"), &[(codes::OUTPUT_ARGUMENTS, Error, "onStopped")]);
    expect(&method("self.count(*x)"), &[]);
    // The attributes of such a class cannot be known.
    expect("class MyClass(GeneratedClass, Other):\n    def f(self): self.gone()", &[]);
    expect("class MyClass(GeneratedClass):\n    def __getattr__(self, n): pass\n    def f(self): self.gone()", &[]);
}

#[test]
fn methods_for_inputs() {
    let script = "class MyClass(GeneratedClass):\n    def onInput_onStrat(self): self.gone()\n    def onInput_onStart(self, a, b): pass";
    let findings = expect(
        script,
        &[
            (codes::HANDLER_WITHOUT_INPUT, Note, "onInput_onStrat"),
            (codes::HANDLER_ARGUMENTS, Error, "onInput_onStart"),
        ],
    );
    assert_eq!(findings[0].help.as_deref(), Some("nothing calls it but the script itself"));
    let renamed = expect(
        "class MyClass(GeneratedClass):\n    def onInput_onStrat(self): pass",
        &[(codes::HANDLER_WITHOUT_INPUT, Note, "onInput_onStrat")],
    );
    assert_eq!(renamed[0].help.as_deref(), Some("did you mean `onStart`?"));
}

#[test]
fn parameters_that_nobody_has() {
    let findings = expect(&method("self.getParameter('Ownn')"), &[(codes::UNKNOWN_PARAMETER, Error, "Ownn")]);
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `Own`?"));
    expect(&method("try:\n    self.getParameter('No')\nexcept:\n    pass"), &[(codes::UNKNOWN_PARAMETER, Note, "No")]);
}

#[test]
fn services_and_their_methods() {
    let findings = expect(&method("ALProxy('ALTextToSpeach')"), &[(codes::UNKNOWN_SERVICE, Warning, "ALTextToSpeach")]);
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `ALTextToSpeech`?"));
    expect(&method("self.session().service('Ours')"), &[(codes::UNKNOWN_SERVICE, Warning, "Ours")]);
    expect(
        &method("try:\n    ALProxy('Ours')\nexcept Exception:\n    pass"),
        &[(codes::UNKNOWN_SERVICE, Note, "Ours")],
    );
    expect(&method("ALProxy('ALTabletService')"), &[(codes::SERVICE_NOT_ON_BODY, Warning, "ALTabletService")]);
    expect(&method("t = ALProxy('ALTextToSpeech')\nt.sya('x')"), &[(codes::UNKNOWN_METHOD, Warning, "sya")]);
    expect(
        &method("t = ALProxy('ALTextToSpeech')\nt.post.frobnicate('x')"),
        &[(codes::UNKNOWN_METHOD, Note, "frobnicate")],
    );
    expect(
        &method("self.m = ALProxy('ALMotion')\nself.m.setAngles('HeadYaw', 0.1)"),
        &[(codes::METHOD_ARGUMENTS, Warning, "setAngles")],
    );
    // The object is not certain, so nothing is reported.
    expect(&method("t = ALProxy('ALTextToSpeech')\nt = 5\nt.sya('x')"), &[]);
    expect(&method("t = ALProxy('ALTextToSpeech')\nt.say('x', _async=True)\nt.pCall('say', 'x')\nt._secret()"), &[]);
    // The service is registered in another box of the behavior.
    let file = file(&[&method("ALProxy('Ours')"), &method("self.session().registerService('Ours', self)")]);
    assert_eq!(found_in(&file), []);
}

#[test]
fn a_box_that_works_from_its_load_on_is_reached() {
    let text = |load: &str| {
        let script = format!("class MyClass(GeneratedClass):\n    def onLoad(self):\n        {load}\n");
        let file = file(&[&script]);
        let text = file.sources.text(file.file).replace("<Link inputowner=\"1\"", "<Link inputowner=\"0\"");
        let file = read_xar("test.xar", text.as_bytes(), &Limits::default()).unwrap();
        found_in(&file).iter().map(|d| d.code).filter(|c| *c == codes::UNREACHABLE_BOX).count()
    };
    assert_eq!(text("self.tts = ALProxy('ALTextToSpeech')"), 1);
    assert_eq!(text("self.start_watching(1)"), 0);
}

/// Writes a program that can be started. Another process writes it, because a file that is still open for writing in a
/// process forked by another test cannot be executed.
#[cfg(unix)]
fn program(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let write = ["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""];
    let written =
        std::process::Command::new("sh").args(write).args([path.as_path(), std::path::Path::new(text)]).status();
    assert!(written.unwrap().success());
    path
}

/// Python 2 does not know the option for isolation and exits; newer versions start and say that they are too old.
#[cfg(unix)]
#[test]
fn a_python_that_is_too_old_is_named_by_its_version() {
    let file = file(&["x = 1"]);
    let two =
        "#!/bin/sh\ncase \"$1\" in -V) echo 'Python 2.7.18' >&2;; *) echo 'Unknown option: -I' >&2; exit 2;; esac\n";
    for (name, text, version) in
        [("python-2.7", two, "2.7"), ("python-3.6", "#!/bin/sh\necho '{\"old\":\"3.6\"}'\n", "3.6")]
    {
        let program = program(name, text);
        let message = read(&file, &Python::new(&program, "the test")).not_checked().unwrap().message;
        let why = format!("{} (the test): is Python {version}, but 3.8 or later is required", program.display());
        assert!(message.contains(&why), "{message}");
    }
}

#[test]
fn without_python_a_note_says_that_scripts_were_not_checked() {
    let file = file(&["x = 1", "y = 2"]);
    for (program, why) in [
        ("no-such-python", "no-such-python (the test): "),
        ("true", "true (the test): cannot parse scripts"),
        ("echo", "echo (the test): is not a Python interpreter"),
    ] {
        let scripts = read(&file, &Python::new(program, "the test"));
        let finding = scripts.not_checked().unwrap();
        assert_eq!((finding.code, finding.severity), (codes::SCRIPTS_NOT_CHECKED, Note));
        assert!(finding.message.starts_with(&format!("2 scripts were not checked: {why}")), "{}", finding.message);
    }
}

#[test]
fn hostile_scripts_are_survived_and_never_run() {
    let mark = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("was-run");
    let _ = std::fs::remove_file(&mark);
    let writes = format!("open({:?}, 'w').write('x')\n", mark.to_string_lossy());
    let deep = "(".repeat(50_000) + &")".repeat(50_000);
    let nested = "[".repeat(90) + "1" + &"]".repeat(90);
    let long = "1+".repeat(100_000) + "1";
    let file = file(&[&writes, &deep, &nested, &long, "def f(:", "self.ok = 1"]);
    let found = found_in(&file);
    assert!(!mark.exists(), "the script was run");
    let of = |path: &str| {
        found.iter().filter(|d| d.path.as_ref().unwrap().to_string() == path).map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!((of("root/B1"), of("root/B6")), (vec![], vec![]));
    assert_eq!(of("root/B5"), [codes::SCRIPT_SYNTAX]);
    assert!(
        of("root/B2").iter().all(|c| [codes::SCRIPT_SYNTAX, codes::SCRIPTS_NOT_CHECKED].contains(c))
            && of("root/B2").len() == 1
    );
}

#[cfg(unix)]
#[test]
fn a_python_that_hangs_or_dies_loses_only_the_script_it_was_at() {
    // The program greets, responds to the first line, then hangs at `hang` and exits at `die`.
    let text = "#!/bin/sh\necho '{\"python\":\"3.99\"}'\nwhile read -r line; do\ncase \"$line\" in\n*hang*) exec tail -f /dev/null;;\n\
                *die*) exit 1;;\n*) echo '{\"error\":[1,1,\"odd\"]}';;\nesac\ndone\n";
    let program = program("odd-python", text);
    let file = file(&["one", "hang", "two", "die", "three"]);
    let python = Python { patience: Duration::from_millis(500), ..Python::new(&program, "the test") };
    let scripts = read(&file, &python);
    let found = check(&file, &Context { scripts: Some(&scripts), ..Context::default() }).behavior;
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    use codes::{SCRIPT_SYNTAX as ANSWERED, SCRIPTS_NOT_CHECKED as NOT};
    assert_eq!(codes, [ANSWERED, NOT, ANSWERED, NOT, ANSWERED]);
    assert!(found[1].message.contains("took too long") && found[3].message.contains("crashed"), "{found:#?}");
}
