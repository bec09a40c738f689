//! A robot's disk through the user's own `ssh`, with the user's keys, settings and known hosts.

use crate::disk::{Disk, DiskError, DiskPath, Entry, Sink, Space, WritableDisk};
use crate::sftp::Sftp;
use crate::watchdog::{Watchdog, WatchedStream};
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How much of what `ssh` says is kept, in bytes.
const SAID: u64 = 1 << 14;

/// How a robot is reached.
#[derive(Clone, Debug)]
pub struct Access {
    /// The program, `ssh` if nothing else is said.
    pub program: OsString,
    /// The user and the host, such as `nao@nao.local`.
    pub to: String,
    /// The port.
    pub port: Option<u16>,
    /// How the password is known.
    pub password: Password,
    /// How long the robot may be silent when it is asked something, once it is reached.
    pub patience: Duration,
}

/// How long a robot may be silent: its disk may be old, and its computer busy.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How `ssh` knows the password.
#[derive(Clone, Debug)]
pub enum Password {
    /// It asks at the terminal, if it needs one.
    Asked,
    /// There is nobody to ask: keys only.
    Nobody,
    /// A program that prints it, and what the program finds in its environment.
    Program(OsString, Vec<(OsString, OsString)>),
}

/// Options for robots: their servers are from 2010 to 2018, with algorithms that `ssh` does not offer by itself any more.
const OPTIONS: [&str; 10] = [
    "ConnectTimeout=10",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=3",
    "HostKeyAlgorithms=+ssh-rsa",
    "PubkeyAcceptedAlgorithms=+ssh-rsa",
    "KexAlgorithms=+diffie-hellman-group14-sha1,diffie-hellman-group1-sha1",
    "ForwardX11=no",
    "ForwardAgent=no",
    "ClearAllForwardings=yes",
    "PermitLocalCommand=no",
];

impl Access {
    /// Returns the command that starts the SFTP server of the robot.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for option in OPTIONS {
            command.args(["-o", option]);
        }
        match &self.password {
            Password::Asked => {}
            Password::Nobody => drop(command.args(["-o", "BatchMode=yes"])),
            Password::Program(program, environment) => {
                command.env("SSH_ASKPASS", program).env("SSH_ASKPASS_REQUIRE", "force");
                command.env("DISPLAY", std::env::var_os("DISPLAY").unwrap_or_else(|| ":".into()));
                command.envs(environment.iter().map(|(key, value)| (key, value)));
                command.args(["-o", "NumberOfPasswordPrompts=1"]);
            }
        }
        if let Some(port) = self.port {
            command.args(["-p", &port.to_string()]);
        }
        command.args(["-s", "--", &self.to, "sftp"]);
        command
    }
}

type Session = Sftp<WatchedStream<ChildStdout>, WatchedStream<ChildStdin>>;

/// A robot's disk, as long as `ssh` runs.
#[derive(Debug)]
pub struct SshDisk {
    sftp: Option<Session>,
    watchdog: Watchdog,
    patience: Duration,
    child: Stopper,
    said: Option<JoinHandle<String>>,
    last: String,
}

/// Ends `ssh`, from any thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Mutex<Child>>);

impl Stopper {
    /// Ends the connection.
    pub fn stop(&self) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl SshDisk {
    /// Connects to a robot. `begun` gets what can end it, as connecting may take as long as a person types.
    ///
    /// # Errors
    /// Why there is no connection: what `ssh` says.
    pub fn connect(access: &Access, begun: impl FnOnce(Stopper)) -> Result<Self, DiskError> {
        let mut command = access.command();
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| {
            let program = access.program.to_string_lossy().into_owned();
            DiskError::Refused(match error.kind() {
                io::ErrorKind::NotFound => format!("the program {program} is not installed"),
                _ => format!("{program}: {error}"),
            })
        })?;
        let missing = || DiskError::Refused("ssh has no input or output".to_owned());
        let (to, from) = (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        let errors = child.stderr.take().ok_or_else(missing)?;
        let said = std::thread::Builder::new().name("ssh".to_owned()).spawn(move || {
            let (mut errors, mut said) = (errors, Vec::new());
            let _ = errors.by_ref().take(SAID).read_to_end(&mut said);
            // More is not kept, and read, so that nothing waits.
            let _ = io::copy(&mut errors, &mut io::sink());
            String::from_utf8_lossy(&said).into_owned()
        });
        let said = said.map_err(|error| DiskError::Refused(error.to_string()))?;
        let child = Stopper(Arc::new(Mutex::new(child)));
        begun(child.clone());
        let (watchdog, patience) = (Watchdog::new(), access.patience);
        let (from, to) = (watchdog.stream(from), watchdog.stream(to));
        let mut disk = Self { sftp: None, watchdog, patience, child, said: Some(said), last: String::new() };
        // A person may type for as long as it takes.
        let typed = matches!(access.password, Password::Asked);
        let opened = if typed { Ok(()) } else { disk.watch() };
        match opened.and_then(|()| Sftp::open(from, to)) {
            Ok(sftp) => disk.sftp = Some(sftp),
            Err(error) => return Err(disk.why(error)),
        }
        if typed {
            disk.watch()?;
        }
        Ok(disk)
    }

    fn watch(&self) -> Result<(), DiskError> {
        let child = self.child.clone();
        self.watchdog.watch(self.patience, move || child.stop()).map_err(|error| DiskError::Refused(error.to_string()))
    }

    /// Returns the time of the robot's clock, in seconds since 1970.
    ///
    /// # Errors
    /// Why it cannot be told.
    pub fn clock(&mut self) -> Result<i64, DiskError> {
        self.with(Sftp::clock)
    }

    /// Returns why the connection has ended, in the words of `ssh`.
    fn why(&mut self, error: DiskError) -> DiskError {
        let DiskError::Lost(_) = &error else { return error };
        if self.watchdog.has_ended() {
            self.last = format!("the robot has not answered for {} s", self.patience.as_secs());
        }
        self.sftp = None;
        self.child.stop();
        if let (Some(said), false) = (self.said.take(), self.watchdog.has_ended()) {
            let said = said.join().unwrap_or_default();
            self.last = last_words(&said);
        }
        if self.last.is_empty() {
            return error;
        }
        DiskError::Lost(self.last.clone())
    }

    fn with<T>(&mut self, what: impl FnOnce(&mut Session) -> Result<T, DiskError>) -> Result<T, DiskError> {
        let ended = || DiskError::Lost("the connection has ended".to_owned());
        match self.sftp.as_mut().ok_or_else(ended).and_then(what) {
            Err(error) => Err(self.why(error)),
            done => done,
        }
    }
}

/// Returns why `ssh` has ended: its last line; those before it are what the robot greets with. Of a robot's key that has
/// changed it also says, earlier, which line of which file has the old one.
fn last_words(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(last) = lines().next_back() else { return String::new() };
    let known = lines().filter(|line| line.contains("known_hosts") && *line != last);
    let words: Vec<&str> = match last.starts_with("Host key verification failed") {
        true => [last].into_iter().chain(known).collect(),
        false => vec![last],
    };
    boxstep_types::printable_line(&words.join(" ")).into_owned()
}

impl Drop for SshDisk {
    fn drop(&mut self) {
        self.sftp = None;
        self.child.stop();
    }
}

impl Disk for SshDisk {
    fn list(&mut self, folder: &DiskPath, most: usize) -> Result<Vec<Entry>, DiskError> {
        self.with(|sftp| sftp.list(folder, most))
    }

    fn stat(&mut self, path: &DiskPath) -> Result<Entry, DiskError> {
        self.with(|sftp| sftp.stat(path))
    }

    fn read(&mut self, file: &DiskPath, from: u64, most: u64, to: &mut Sink<'_>) -> Result<(), DiskError> {
        self.with(|sftp| sftp.read(file, from, most, to))
    }

    fn link(&mut self, link: &DiskPath) -> Result<Vec<u8>, DiskError> {
        self.with(|sftp| sftp.link(link))
    }

    fn follows_links(&self) -> bool {
        true
    }

    fn homes(&mut self) -> Result<Vec<DiskPath>, DiskError> {
        self.with(Disk::homes)
    }
}

impl WritableDisk for SshDisk {
    fn put(&mut self, file: &DiskPath, from: &mut dyn io::Read) -> Result<(), DiskError> {
        self.with(|sftp| sftp.put(file, from))
    }

    fn remove(&mut self, file: &DiskPath) -> Result<(), DiskError> {
        self.with(|sftp| sftp.remove(file))
    }

    fn rename(&mut self, from: &DiskPath, to: &DiskPath) -> Result<(), DiskError> {
        self.with(|sftp| sftp.rename(from, to))
    }

    fn set_mode(&mut self, path: &DiskPath, mode: u32) -> Result<(), DiskError> {
        self.with(|sftp| sftp.set_mode(path, mode))
    }

    fn make_folder(&mut self, folder: &DiskPath) -> Result<(), DiskError> {
        self.with(|sftp| sftp.make_folder(folder))
    }

    fn remove_folder(&mut self, folder: &DiskPath) -> Result<(), DiskError> {
        self.with(|sftp| sftp.remove_folder(folder))
    }

    fn make_link(&mut self, link: &DiskPath, target: &[u8]) -> Result<(), DiskError> {
        self.with(|sftp| sftp.make_link(link, target))
    }

    fn space(&mut self, folder: &DiskPath) -> Result<Space, DiskError> {
        self.with(|sftp| sftp.space(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_key_is_told_with_the_line_of_the_old_one() {
        let said = "Welcome to NAO\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n\
            Offending RSA key in /home/me/.ssh/known_hosts:7\r\nHost key verification failed.\r\n";
        let told = "Host key verification failed. Offending RSA key in /home/me/.ssh/known_hosts:7";
        assert_eq!(last_words(said), told);
        assert_eq!(
            last_words("Hello\n\nnao@nao: Permission denied (publickey).\n"),
            "nao@nao: Permission denied (publickey)."
        );
        assert_eq!(last_words("\n"), "");
    }
}
