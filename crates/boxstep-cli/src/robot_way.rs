//! The way to the files of a robot: the user's own `ssh`, or the robot itself if it is a `boxstep robot --disk`.

use crate::args::RobotFiles;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::robot_disk::SERVICE;
use crate::robot_link::Link;
use crate::ssh_access::Reached;
use boxstep_qi::Value;
use boxstep_rescue::disk::{DiskError, WritableDisk};
use boxstep_rescue::served::streams;
use boxstep_rescue::sftp::Sftp;
use boxstep_rescue::ssh::SshDisk;
use boxstep_robot::naoqi::preflight::Reach;
use std::io;
use std::time::Duration;

/// How long connecting again may take, and one answer of the disk.
const WITHIN: Duration = Duration::from_secs(10);

/// A way to a robot's files. It must live as long as connections are made.
pub(crate) enum Way {
    /// Over SSH.
    Ssh(Reached),
    /// Over the connection to the robot's services.
    Served(Reach),
}

impl Way {
    /// Returns the way to the files of a robot that is connected.
    pub(crate) fn to(of: &RobotFiles, link: &Link) -> Result<Self, Failure> {
        if of.ssh.ssh.is_none() && link.session.service(SERVICE).is_ok() {
            return Ok(Self::Served(link.reach()));
        }
        of.ssh.reach(&of.access, link.host().as_deref()).map(Self::Ssh)
    }

    /// Connects to the files. A signal ends the connection.
    pub(crate) fn connect(&self, interrupt: &Interrupt) -> Result<Box<dyn WritableDisk>, DiskError> {
        match self {
            Self::Ssh(reached) => {
                let disk = SshDisk::connect(reached.access(), |stopper| interrupt.ends(stopper))?;
                Ok(Box::new(disk))
            }
            Self::Served(reach) => {
                let lost = |error: boxstep_qi::Error| DiskError::Lost(error.to_string());
                let session = reach(WITHIN).map_err(lost)?;
                let disk = session.service(SERVICE).map_err(lost)?;
                let (from, to) = streams(move |message: &[u8]| {
                    // The session is kept for as long as its service is used.
                    let _session = &session;
                    let answer = disk.call_within("sftp", &[Value::Raw(message.to_vec())], WITHIN);
                    let answer = answer.map_err(|error| io::Error::other(error.to_string()))?;
                    answer.as_bytes().map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::InvalidData.into())
                });
                Ok(Box::new(Sftp::open(from, to)?))
            }
        }
    }

    /// Adds to why there is no connection what may help.
    pub(crate) fn with_help(&self, why: &str) -> String {
        match self {
            Self::Ssh(reached) => reached.with_help(why),
            Self::Served(_) => why.to_owned(),
        }
    }

    /// Returns who is asked for the files, for messages.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Ssh(reached) => &reached.access().to,
            Self::Served(_) => "the robot's disk",
        }
    }
}
