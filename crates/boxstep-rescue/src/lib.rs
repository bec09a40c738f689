//! What a robot's disk holds, brought home.
//!
//! - [`disk`]: where the files are: on a robot that is reached over SSH ([`ssh`], [`sftp`]), in the image of a disk, in a folder
//! - [`places`]: where a robot has what people made, and the folder that each of them gets here
//! - [`copy`]: the copying, which goes on where it was cut
//! - [`manifest`]: what was taken, and what was not
//! - [`restore`]: what of it is put on another robot: files that are not there yet, and nothing else
//! - [`served`]: a folder of this computer, served as the disk of a simulated robot
//! - [`temporary`]: files that are on a robot only while something is sent to it
//! - [`name`]: names of files here for names of any bytes there
//!
//! A rescue writes nothing to the disk that it reads. What writes is a [`disk::WritableDisk`], for what is put on a robot.

pub mod copy;
pub mod disk;
pub mod manifest;
pub mod name;
pub mod places;
pub mod restore;
pub mod served;
pub mod sftp;
pub mod ssh;
pub mod temporary;
mod watchdog;
