//! The SFTP server of OpenSSH, where it is installed.

use crate::peer::{Silent, files};
use boxstep_rescue::copy::{Limits, Listed, copy};
use boxstep_rescue::disk::{Disk as _, DiskError, DiskPath, WritableDisk as _};
use boxstep_rescue::ssh::{Access, PATIENCE, Password, SshDisk};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SERVERS: [&str; 3] =
    ["/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server", "/usr/libexec/sftp-server"];

/// A script that stands for `ssh`.
#[cfg(unix)]
fn script(folder: &Path, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let program = folder.join("ssh");
    std::fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

fn through(program: PathBuf, patience: Duration) -> Access {
    let (to, password) = ("nao@robot".to_owned(), Password::Nobody);
    Access { program: program.into(), to, port: None, password, patience }
}

#[cfg(unix)]
#[test]
fn the_server_of_openssh_gives_its_files_through_a_program_that_stands_for_ssh() {
    let Some(server) = SERVERS.iter().find(|server| Path::new(server).exists()) else {
        eprintln!("skipped: OpenSSH's sftp-server is not installed");
        return;
    };
    let (robot, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let dance = robot.path().join(".local/share/PackageManager/apps/dance");
    std::fs::create_dir_all(&dance).unwrap();
    let music: Vec<u8> = (0..3_000_000).map(crate::peer::long).collect();
    std::fs::write(dance.join("music.wav"), &music).unwrap();
    let latin: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"caf\xe9");
    std::fs::write(dance.join(latin), "latin").unwrap();
    let program = script(home.path(), &format!("cd '{}' && exec {server} -R", robot.path().display()));
    let mut disk = SshDisk::connect(&through(program, PATIENCE), drop).unwrap();
    // Also what is known of its disk and its clock.
    let space = disk.space(&DiskPath::new(b"/")).unwrap();
    assert!(space.size > 0 && space.free <= space.size, "{space:?}");
    if cfg!(target_os = "linux") {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        assert!(disk.clock().unwrap().abs_diff(since.as_secs().try_into().unwrap()) < 3600);
    }
    let into = home.path().join("rescued");
    copy(&mut disk, &into, Limits::default(), &mut Listed::default(), &mut Silent::default()).unwrap();
    let files = files(&into);
    assert_eq!(files["packages/dance/caf%E9"], b"latin");
    assert!(files["packages/dance/music.wav"] == music);
}

#[cfg(unix)]
#[test]
fn what_ssh_says_is_why_there_is_no_connection() {
    let folder = tempfile::tempdir().unwrap();
    let text = "echo 'Welcome' >&2; echo 'nao@robot: Permission denied (publickey).' >&2; exit 255";
    let mut access = through(script(folder.path(), text), PATIENCE);
    let refused = SshDisk::connect(&access, drop).unwrap_err();
    assert_eq!(refused.to_string(), "nao@robot: Permission denied (publickey).");
    access.program = folder.path().join("missing").into();
    assert!(SshDisk::connect(&access, drop).unwrap_err().to_string().contains("is not installed"));
}

#[cfg(unix)]
#[test]
fn a_server_that_says_nothing_more_is_a_lost_one() {
    let folder = tempfile::tempdir().unwrap();
    let hello = r"printf '\000\000\000\005\002\000\000\000\003'";
    for text in ["cat > /dev/null; true".to_owned(), format!("{hello}; cat > /dev/null; true")] {
        let access = through(script(folder.path(), &text), Duration::from_millis(20));
        let told = SshDisk::connect(&access, drop).and_then(|mut disk| disk.stat(&DiskPath::new(b"/")));
        let Err(DiskError::Lost(why)) = told else { panic!("{told:?}") };
        assert!(why.starts_with("the robot has not answered for"), "{why}");
    }
}
