//! How a command reaches the files of a robot: the user's own `ssh`, and what it is given.

use crate::failure::Failure;
use crate::robot_address::Access as Login;
use boxstep_qi::Endpoint;
use boxstep_rescue::ssh::{Access, PATIENCE, Password};
use boxstep_robot::find::lookup;
use clap::Args;
use std::io::IsTerminal as _;
use std::net::ToSocketAddrs as _;
use std::path::PathBuf;

/// The arguments for the files of a robot.
#[derive(Debug, Args)]
pub(crate) struct SshArgs {
    /// Reach the robot's files as this user at this host [default: nao at the robot]
    #[arg(long, value_name = "USER@HOST[:PORT]", help_heading = "Robot")]
    pub(crate) ssh: Option<String>,
    /// The program that reaches the files
    #[arg(long, value_name = "PROGRAM", default_value = "ssh", help_heading = "Robot")]
    ssh_program: PathBuf,
}

/// A way to a robot's files. It must live as long as connections are made.
pub(crate) struct Reached {
    access: Access,
    /// A password was given.
    has_password: bool,
    /// The folder of a program that prints the password.
    _prompter: Option<tempfile::TempDir>,
}

/// The port of SSH.
const SSH: u16 = 22;

/// The variable from which that program has the password.
#[cfg(unix)]
const SECRET: &str = "BOXSTEP_SSH_PASSWORD";

impl Reached {
    pub(crate) fn access(&self) -> &Access {
        &self.access
    }

    /// Adds to why there is no connection what may help.
    pub(crate) fn with_help(&self, why: &str) -> String {
        match (why.contains("Permission denied"), self.has_password) {
            (true, true) => {
                format!("{why}; the password that was given is not that of its files, or not allowed there")
            }
            (true, false) => {
                format!(
                    "{why}; BOXSTEP_PASSWORD or --password gives the password, which is nao if nobody has changed it"
                )
            }
            (false, _) => why.to_owned(),
        }
    }
}

impl SshArgs {
    pub(crate) fn new(ssh: String, ssh_program: PathBuf) -> Self {
        Self { ssh: Some(ssh), ssh_program }
    }

    /// Returns the way to the files of the robot at this host.
    pub(crate) fn reach(&self, login: &Login, host: Option<&str>) -> Result<Reached, Failure> {
        let (user, rest) = match self.ssh.as_deref().map(|ssh| ssh.split_once('@').ok_or(ssh)) {
            Some(Ok((user, rest))) => (user.to_owned(), rest.to_owned()),
            Some(Err(rest)) => (login.user(), rest.to_owned()),
            None => {
                let host = host.ok_or_else(|| Failure::Usage("the robot's host is not known: use --ssh".to_owned()))?;
                (login.user(), reachable(host))
            }
        };
        // An IPv6 address has colons of its own.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if self.ssh.is_some() && !host.contains(':') => {
                let port = port.parse().map_err(|_| Failure::Usage(format!("--ssh: {port} is not a port")))?;
                (host.to_owned(), Some(port))
            }
            _ => (rest, None),
        };
        if host.is_empty() || host.starts_with('-') || user.is_empty() || user.starts_with('-') {
            return Err(Failure::Usage("--ssh: write USER@HOST".to_owned()));
        }
        let secret = login.secret()?;
        let has_password = secret.is_some();
        let (password, prompter) = match secret {
            Some(token) => prompter(&token)?,
            None if std::io::stdin().is_terminal() => (Password::Asked, None),
            None => (Password::Nobody, None),
        };
        let program = self.ssh_program.clone().into_os_string();
        let access = Access { program, to: format!("{user}@{host}"), port, password, patience: PATIENCE };
        Ok(Reached { access, has_password, _prompter: prompter })
    }
}

/// Returns the host as `ssh` can reach it: by its name, or at the address that the robot announces if the system does not
/// know the name.
fn reachable(host: &str) -> String {
    if (host, SSH).to_socket_addrs().is_ok_and(|mut known| known.next().is_some()) {
        return host.to_owned();
    }
    let endpoint = Endpoint { tls: false, host: host.to_owned(), port: SSH };
    lookup(&endpoint).first().map_or_else(|| host.to_owned(), |found| found.ip().to_string())
}

/// Returns a program that prints the password, and only that: whether a robot's key is trusted is a question for people.
#[cfg(unix)]
fn prompter(token: &str) -> Result<(Password, Option<tempfile::TempDir>), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let failed = |e: std::io::Error| Failure::Run(format!("the password cannot be given to ssh: {e}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let program = folder.path().join("password");
    std::fs::write(
        &program,
        format!("#!/bin/sh\ncase \"$1\" in *assword*) printf '%s\\n' \"${SECRET}\" ;; *) exit 1 ;; esac\n"),
    )
    .map_err(failed)?;
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
    Ok((Password::Program(program.into(), vec![(SECRET.into(), token.into())]), Some(folder)))
}

#[cfg(not(unix))]
fn prompter(_: &str) -> Result<(Password, Option<tempfile::TempDir>), Failure> {
    // ssh asks at the terminal: scripts of this system cannot print every password.
    Ok((Password::Asked, None))
}
