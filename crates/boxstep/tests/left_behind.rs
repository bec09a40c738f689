//! What scripts start ends with their run, however that ends, and nobody else's does.

#![cfg(target_os = "linux")]
use crate::common;
use crate::common::{Run, Temp, has_python, root, say, xar};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Ways to start something that goes on, each as the text of a Python function.
const WAYS: &[(&str, &str)] = &[
    ("popen", "subprocess.Popen(shell('popen'))"),
    ("system", "os.system(\"sh -c '%s' &\" % shell('system')[2])"),
    ("fork", "fork(lambda: note('fork'))"),
    ("session", "subprocess.Popen(shell('session'), start_new_session=True)"),
    ("daemon", "fork(lambda: (os.setsid(), os.fork() and os._exit(0), note('daemon')))"),
    (
        "daemons_shell",
        "subprocess.Popen(['setsid', 'sh', '-c', 'sh -c \"%s\" &' % shell('daemons_shell')[2].replace('$', '\\\\$')])",
    ),
    ("clean", "subprocess.Popen(shell('clean'), env={'PATH': os.environ['PATH']}, start_new_session=True)"),
    ("emptied", "subprocess.Popen(shell('emptied'), env={})"),
    (
        "bare",
        "subprocess.Popen(['env', '-i', 'setsid', 'sh', '-c', 'sh -c \"%s\" &' % shell('bare')[2].replace('$', '\\\\$')])",
    ),
    (
        "replaced",
        "fork(lambda: (os.setsid(), os.fork() and os._exit(0), os.chdir('/'), os.execve('/bin/sh', shell('replaced'), {})))",
    ),
    ("deaf", "subprocess.Popen(['sh', '-c', 'trap : TERM; ' + shell('deaf', 'while :; do sleep 1; done')[2]])"),
    ("stopped", "subprocess.Popen(shell('stopped', 'kill -STOP $$'))"),
    ("many", "subprocess.Popen(shell('many', 'while :; do sleep 9 & sleep 0.02; done'))"),
];

/// A box that starts all this and says so; then it goes on as `then` says.
fn behavior(name: &str, notes: &Path, then: &str) -> PathBuf {
    let ways: String = WAYS.iter().map(|(_, way)| format!("        {way}\n")).collect();
    let names: Vec<&str> = WAYS.iter().map(|(name, _)| *name).collect();
    let script = format!(
        "import os, signal, subprocess, sys, time\n\
         def at(name):\n    return {notes:?} + '/' + name\n\
         def shell(name, then='exec sleep 1000'):\n    return ['sh', '-c', 'exec > /dev/null 2>&1; echo $$ > %s; %s' % (at(name), then)]\n\
         def note(name):\n    file = os.open(at(name), os.O_WRONLY | os.O_CREAT)\n    \
             os.write(file, b'%d' % os.getpid())\n    while True:\n        signal.pause()\n\
         def fork(do):\n    if os.fork() == 0:\n        try:\n            do()\n        finally:\n            os._exit(1)\n\
         def is_there(name):\n    return os.path.exists(at(name)) and os.path.getsize(at(name))\n\
         class MyClass(GeneratedClass):\n    \
             def onInput_onStart(self):\n{ways}        \
                 while not all(is_there(name) for name in {names:?}):\n            time.sleep(0.01)\n        \
                 self.log('all are there')\n        {then}\n"
    );
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    let inside = xar::flow(&(xar::a_box(1, "Parent", &script, &xar::ports(), "") + &links));
    xar::written("left_behind", name, &xar::behavior(&xar::ports(), &inside))
}

/// Where children note their numbers.
fn notes() -> Temp {
    let notes = Temp::new("notes");
    fs::create_dir_all(&notes.0).unwrap();
    notes
}

/// Those that are still there, by the numbers that they have noted.
fn left(notes: &Temp) -> BTreeMap<String, u32> {
    let noted = fs::read_dir(&notes.0).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let number = fs::read_to_string(&path).unwrap().trim().parse().unwrap();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), number)
    });
    noted.filter(|(_, number)| is_there(*number)).collect()
}

fn is_there(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// Waits until none is left.
fn none_is_left(notes: &Temp) {
    let begun = Instant::now();
    while !left(notes).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", left(notes));
        std::thread::yield_now();
    }
}

fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

const HOSTS: [&str; 2] = ["native", "process"];

fn hosts() -> &'static [&'static str] {
    if has_python() { &HOSTS } else { &[] }
}

#[test]
fn what_scripts_have_started_ends_with_the_run() {
    for host in hosts() {
        for clock in [&["--virtual-time", "--network"][..], &[]] {
            let notes = notes();
            let folder = behavior(&format!("ends-{host}-{}", clock.len()), &notes.0, "self.onStopped()");
            let args = ["play", folder.to_str().unwrap(), "--must-end", "--scripts", host];
            let said = say(&[&args[..], clock].concat()).code(0);
            assert!(said.out.contains("all are there"), "{}", said.out);
            assert_eq!(fs::read_dir(&notes.0).unwrap().count(), WAYS.len());
            // At its end, and not some time later.
            assert_eq!(left(&notes), BTreeMap::new(), "{host} {clock:?}");
        }
    }
}

#[test]
fn what_scripts_have_started_ends_when_the_run_is_interrupted() {
    for host in hosts() {
        for number in ["-INT", "-TERM"] {
            let notes = notes();
            let folder = behavior(&format!("interrupted-{host}"), &notes.0, "time.sleep(1000)");
            let mut run = Run::start(&folder, &["--scripts", host]);
            run.says("all are there");
            signal(number, run.child.id());
            run.ends().code(130);
            assert_eq!(left(&notes), BTreeMap::new(), "{host} {number}");
        }
    }
}

#[test]
fn what_scripts_have_started_ends_when_the_engine_is_killed() {
    for host in hosts() {
        let notes = notes();
        let folder = behavior(&format!("killed-{host}"), &notes.0, "time.sleep(1000)");
        let mut run = Run::start(&folder, &["--scripts", host]);
        run.says("all are there");
        signal("-KILL", run.child.id());
        run.ends();
        none_is_left(&notes);
    }
}

#[test]
fn what_scripts_have_started_ends_with_a_process_for_scripts_that_crashes() {
    if has_python() {
        let notes = notes();
        let folder = behavior("crashed", &notes.0, "os.abort()");
        let said = say(&["play", folder.to_str().unwrap(), "--scripts", "process"]).code(4);
        assert!(said.out.contains("was ended by signal 6 (SIGABRT: C code gave up) while root/Parent"), "{}", said.out);
        assert_eq!(left(&notes), BTreeMap::new());
    }
}

/// A script that ends its keeper first is no better off.
#[test]
fn a_keeper_that_is_stopped_goes_on() {
    if has_python() {
        let notes = notes();
        let folder = behavior("stopped", &notes.0, "os.kill(os.getppid(), signal.SIGSTOP)\n        self.onStopped()");
        say(&["play", folder.to_str().unwrap(), "--must-end", "--scripts", "process"]).code(0);
        none_is_left(&notes);
    }
}

/// Two runs at once, and one that a script has started: each ends its own.
#[test]
fn runs_leave_each_others_programs_alone() {
    for host in hosts() {
        let (first, second) = (notes(), notes());
        let waits = behavior(&format!("beside-{host}"), &first.0, "time.sleep(1000)");
        let mut run = Run::start(&waits, &["--scripts", host]);
        run.says("all are there");
        let ends = behavior(&format!("beside-ends-{host}"), &second.0, "self.onStopped()");
        say(&["play", ends.to_str().unwrap(), "--must-end", "--scripts", host]).code(0);
        assert_eq!((left(&first).len(), left(&second).len()), (WAYS.len(), 0));
        run.interrupt();
        assert_eq!(left(&first), BTreeMap::new());
    }
}

/// `import boxstep` in somebody's program: their own children are none of the run's.
#[test]
fn children_of_a_program_are_its_own() {
    if !has_python() {
        return;
    }
    let notes = notes();
    let folder = behavior("program", &notes.0, "time.sleep(1000)");
    let program = "import subprocess, sys, boxstep\n\
        out = subprocess.DEVNULL\n\
        own = [subprocess.Popen(['sleep', '1000'], stdout=out, stderr=out) for _ in range(2)]\n\
        subprocess.run(['sh', '-c', 'sleep 1000 >/dev/null 2>&1 & echo $! > %s' % sys.argv[2]])\n\
        with boxstep.load(sys.argv[1], virtual=False) as run:\n    \
            run.start()\n    \
            own.append(subprocess.Popen(['sleep', '1000'], stdout=out, stderr=out))\n    \
            while not any(event.get('text') == 'all are there' for event in run.events()):\n        \
                run.run_for(0.05)\n\
        print([child.poll() for child in own])\n\
        [child.kill() for child in own]\n";
    let orphan = Temp::new("pid");
    let output = Command::new(common::python3().unwrap())
        .args(["-c", program, folder.to_str().unwrap(), orphan.arg()])
        .env("PYTHONPATH", package())
        .current_dir(root())
        .output()
        .unwrap();
    let said = common::Said::from(output).code(0);
    assert_eq!(said.out, "[None, None, None]\n", "{}", said.err);
    assert_eq!(left(&notes), BTreeMap::new());
    let orphan = fs::read_to_string(&orphan.0).unwrap().trim().parse().unwrap();
    assert!(is_there(orphan));
    signal("-KILL", orphan);
}

/// The package as it would be installed.
fn package() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_boxstep")).parent().unwrap();
    let module = [built.join("deps"), built.to_owned()].map(|folder| folder.join("libboxstep_native.so"));
    let module = module.into_iter().find(|file| file.is_file()).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left_behind/package");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("boxstep")).unwrap();
    for entry in fs::read_dir(root().join("python/boxstep")).unwrap() {
        let path = entry.unwrap().path();
        std::os::unix::fs::symlink(&path, folder.join("boxstep").join(path.file_name().unwrap())).unwrap();
    }
    std::os::unix::fs::symlink(module, folder.join("boxstep/boxstep_native.abi3.so")).unwrap();
    folder
}
