//! What a robot's disk holds, brought home.
//!
//! - [`disk`]: where the files are: on a robot that is reached over SSH ([`ssh`], [`sftp`]), in the image of a disk, in a folder
//! - [`places`]: where a robot has what people made, and the folder that each of them gets here
//! - [`copy`]: the copying, which goes on where it was cut
//! - [`manifest`]: what was taken, and what was not
//! - [`name`]: names of files here for names of any bytes there
//!
//! A rescue writes nothing to the disk that it reads. What writes is [`sftp::Sftp::put`], for packages that are installed.

pub mod copy;
pub mod disk;
pub mod manifest;
pub mod name;
pub mod places;
pub mod sftp;
pub mod ssh;
mod watchdog;
