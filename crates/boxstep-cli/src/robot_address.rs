//! The arguments that name a robot and log in to it. They are the same for every command (`docs/reference/qi.md`, "Robots and
//! passwords").

use crate::failure::{Failure, system_message};
use boxstep_qi::{Credentials, Endpoint, Fingerprint, Options, Trust};
use boxstep_robot::find::lookup;
use clap::Args;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How a robot is named in the help.
pub(crate) const ADDRESS: &str = "NAME|IP|HOST:PORT|URL";
/// How a robot is named in the help where it may also be a Python file.
pub(crate) const PLAYED_ON: &str = "NAME|IP|HOST:PORT|URL|FILE.py";
/// The environment variable that names the robot if no argument does.
pub(crate) const VARIABLE: &str = "BOXSTEP_ROBOT";
/// The environment variable that has the password if no argument names a file.
pub(crate) const PASSWORD: &str = "BOXSTEP_PASSWORD";
/// The default user: that of a Pepper with NAOqi 2.9, the only robot known to ask for one.
const USER: &str = "nao";
/// The maximum length of a password, in bytes; a longer line comes from a wrong file.
const LONGEST: u64 = 4096;

/// Returns whether a robot is the file of one written in Python. A URL never is.
pub(crate) fn is_file(text: &str) -> bool {
    text.ends_with(".py") && !text.contains("://")
}

/// Parses a name, an IP address, `host:port`, or a URL that begins with `tcp://` or `tcps://`.
pub(crate) fn parse(text: &str) -> Result<Endpoint, String> {
    if is_file(text) {
        return Err(format!(
            "{text} is the file of a robot written in Python, not a robot on the network: only `boxstep play --robot {text}` takes it"
        ));
    }
    Endpoint::parse(text).map_err(|e| e.to_string())
}

/// Returns the robot that the environment names.
pub(crate) fn of_environment() -> Result<Option<Endpoint>, Failure> {
    match std::env::var(VARIABLE) {
        Ok(text) if !text.is_empty() => {
            parse(&text).map(Some).map_err(|why| Failure::Usage(format!("{VARIABLE}: {why}")))
        }
        Err(std::env::VarError::NotUnicode(_)) => Err(Failure::Usage(format!("{VARIABLE} is not valid UTF-8"))),
        _ => Ok(None),
    }
}

/// The login at a robot that requires one. A password is never an argument: everybody on the machine can see arguments,
/// and shells store them.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Access {
    /// The user to log in as, if the robot requires a login [default: nao]
    #[arg(long, value_name = "NAME", help_heading = "Robot")]
    pub(crate) user: Option<String>,
    /// A file whose first line is the password, `-` for standard input
    /// [default: the variable BOXSTEP_PASSWORD; with --user, a prompt]
    #[arg(long, value_name = "FILE", help_heading = "Robot", verbatim_doc_comment)]
    pub(crate) password: Option<PathBuf>,
    /// With tcps: accept this certificate and those signed by it (a PEM file) [default: those that the system trusts]
    #[arg(long, value_name = "FILE", help_heading = "Robot")]
    pub(crate) certificate: Option<PathBuf>,
    /// With tcps: accept the certificate with this SHA-256
    #[arg(long, value_name = "SHA256", conflicts_with = "certificate", help_heading = "Robot")]
    pub(crate) fingerprint: Option<Fingerprint>,
    /// With tcps: accept any certificate; this does not protect against a man in the middle
    #[arg(long, conflicts_with_all = ["certificate", "fingerprint"], help_heading = "Robot")]
    pub(crate) insecure: bool,
}

/// Returns the options of a connection to a robot that one does not log in to. Names that the system does not know are
/// looked up by mDNS.
pub(crate) fn strangers() -> Options {
    Options { find_host: Some(lookup), ..Options::default() }
}

impl Access {
    /// Returns the options of a connection to a robot.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let trust = self.trust()?;
        Ok(Options { credentials: self.credentials(ask)?, trust, ..strangers() })
    }

    /// Returns the user to log in as.
    pub(crate) fn user(&self) -> String {
        self.user.clone().unwrap_or_else(|| USER.to_owned())
    }

    /// Returns the password, if one is given.
    pub(crate) fn secret(&self) -> Result<Option<String>, Failure> {
        match (&self.password, std::env::var(PASSWORD)) {
            (Some(file), _) => of_file(file).map(Some),
            (None, Ok(token)) if !token.is_empty() => Ok(Some(token)),
            _ => Ok(None),
        }
    }

    fn trust(&self) -> Result<Trust, Failure> {
        match (&self.certificate, self.fingerprint) {
            (Some(file), _) => of_pem(file),
            (None, Some(fingerprint)) => Ok(Trust::Fingerprint(fingerprint)),
            (None, None) if self.insecure => Ok(Trust::Anybody),
            (None, None) => Ok(Trust::System),
        }
    }

    fn credentials(&self, ask: impl FnOnce(&str) -> Result<String, Failure>) -> Result<Option<Credentials>, Failure> {
        let user = self.user.clone().unwrap_or_else(|| USER.to_owned());
        let token = match (&self.password, std::env::var(PASSWORD)) {
            (Some(file), _) => of_file(file)?,
            (None, Ok(token)) if !token.is_empty() => token,
            _ if self.user.is_some() => ask(&user)?,
            _ => return Ok(None),
        };
        Ok(Some(Credentials { user, token }))
    }
}

#[cfg(feature = "tls")]
fn of_pem(file: &Path) -> Result<Trust, Failure> {
    let text = std::fs::read(file).map_err(|e| Failure::io(file, &e))?;
    Trust::from_pem(&text).map_err(|e| Failure::File(file.to_owned(), e.to_string()))
}

#[cfg(not(feature = "tls"))]
fn of_pem(_: &Path) -> Result<Trust, Failure> {
    Err(Failure::Usage("this program was built without TLS".to_owned()))
}

/// Returns the login that clients of a robot of our own need: the password is the first line of a file.
pub(crate) fn login(user: Option<&str>, password: &Path) -> Result<Credentials, Failure> {
    Ok(Credentials { user: user.unwrap_or(USER).to_owned(), token: of_file(password)? })
}

fn of_file(file: &Path) -> Result<String, Failure> {
    // Do not print the argument: it may be a password that was given instead of a file.
    let failed = |e: &std::io::Error| {
        Failure::Usage(format!(
            "the file that --password names cannot be read: {}; a password itself belongs into a file or into {PASSWORD}",
            system_message(e)
        ))
    };
    // Standard input is read once; a robot may be logged in to in two ways.
    static TYPED: OnceLock<String> = OnceLock::new();
    let line = if let Some(line) = TYPED.get().filter(|_| file == Path::new("-")) {
        Ok(line.clone())
    } else if file == Path::new("-") {
        first_line(std::io::stdin().lock()).inspect(|line| drop(TYPED.set(line.clone())))
    } else {
        std::fs::File::open(file).and_then(|file| first_line(BufReader::new(file)))
    };
    let line = line.map_err(|e| failed(&e))?;
    if line.is_empty() {
        return Err(Failure::Usage("the first line of what --password names is empty".to_owned()));
    }
    Ok(line)
}

fn first_line(reader: impl BufRead) -> std::io::Result<String> {
    let mut line = String::new();
    reader.take(LONGEST).read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Asks for the password at the terminal, without showing what is typed.
#[cfg(unix)]
fn ask(user: &str) -> Result<String, Failure> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    use std::io::Write as _;
    let missing =
        |why: &str| Failure::Usage(format!("the password of {user} is missing ({why}): use --password or {PASSWORD}"));
    let terminal = std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty");
    let mut terminal = terminal.map_err(|_| missing("there is no terminal to ask at"))?;
    let before = tcgetattr(&terminal).map_err(|e| missing(&system_message(&e.into())))?;
    let mut quiet = before.clone();
    // Also read Ctrl-C as a key, so that no signal ends the process while the terminal has these settings.
    quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
    tcsetattr(&terminal, OptionalActions::Flush, &quiet).map_err(|e| missing(&system_message(&e.into())))?;
    let typed = write!(terminal, "Password of {user}: ").and_then(|()| typed(&terminal));
    let back = tcsetattr(&terminal, OptionalActions::Flush, &before);
    let _ = writeln!(terminal);
    match typed.and_then(|typed| back.map(|()| typed).map_err(Into::into)) {
        Ok(Some(line)) if line.is_empty() => Err(missing("nothing was typed")),
        Ok(Some(line)) => Ok(line),
        Ok(None) => Err(Failure::Interrupted),
        Err(e) => Err(missing(&system_message(&e))),
    }
}

/// Reads a line key by key. Returns `None` on Ctrl-C.
#[cfg(unix)]
fn typed(keys: impl std::io::Read) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    for key in std::io::Read::bytes(BufReader::new(keys)) {
        match key? {
            b'\n' | b'\r' | 4 => break,
            3 => return Ok(None),
            8 | 127 => {
                // Remove one character, which may have several bytes.
                while line.pop().is_some_and(|byte: u8| byte & 0xc0 == 0x80) {}
            }
            byte => line.push(byte),
        }
    }
    String::from_utf8(line).map(Some).map_err(|_| std::io::ErrorKind::InvalidData.into())
}

#[cfg(not(unix))]
fn ask(user: &str) -> Result<String, Failure> {
    let missing =
        |why: &str| Failure::Usage(format!("the password of {user} is missing ({why}): use --password or {PASSWORD}"));
    match rpassword::prompt_password(format!("Password of {user}: ")) {
        Ok(line) if line.is_empty() => Err(missing("nothing was typed")),
        Ok(line) => Ok(line),
        Err(e) => Err(missing(&system_message(&e))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_is_a_name_an_address_or_a_url() {
        for (text, url) in [
            ("nao.local", "tcp://nao.local:9559"),
            ("10.0.0.2", "tcp://10.0.0.2:9559"),
            ("10.0.0.2:1234", "tcp://10.0.0.2:1234"),
            ("tcps://pepper.local", "tcps://pepper.local:9503"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), url);
        }
        assert!(parse("http://nao.local").unwrap_err().contains("neither with tcp:// nor with tcps://"));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_typed_can_be_put_right_and_given_up() {
        let typed = |keys: &[u8]| typed(keys).unwrap();
        assert_eq!(typed("pä\x7f\x7fqi\nmore".as_bytes()).as_deref(), Some("qi"));
        assert_eq!(typed(b"\x7f\x7f\n").as_deref(), Some(""));
        assert_eq!(typed(b"sec\x03"), None);
    }

    #[test]
    fn who_one_is_comes_from_a_file_or_a_question_and_is_told_to_nobody_by_itself() {
        let file = std::env::temp_dir().join(format!("boxstep-password-{}", std::process::id()));
        std::fs::write(&file, "secret word \r\nanother line\n").unwrap();
        let never = |_: &str| panic!("nobody is asked");
        let with = |user: Option<&str>, password: Option<&Path>| Access {
            user: user.map(Into::into),
            password: password.map(Into::into),
            ..Access::default()
        };
        let of_file = with(None, Some(&file)).credentials(never).unwrap().unwrap();
        assert_eq!((of_file.user.as_str(), of_file.token.as_str()), ("nao", "secret word "));
        let named = with(Some("pepper"), Some(&file)).credentials(never).unwrap().unwrap();
        assert_eq!(named.user, "pepper");
        let asked = with(Some("pepper"), None).credentials(|user| Ok(format!("of {user}"))).unwrap().unwrap();
        assert_eq!(asked.token, "of pepper");
        assert!(with(None, None).credentials(never).unwrap().is_none());
        std::fs::write(&file, "\n").unwrap();
        assert!(with(None, Some(&file)).credentials(never).unwrap_err().to_string().contains("is empty"));
        std::fs::remove_file(&file).unwrap();
        let words = with(None, Some(Path::new("hunter2"))).credentials(never).unwrap_err().to_string();
        assert!(words.contains("cannot be read") && !words.contains("hunter2"), "{words}");
    }
}
