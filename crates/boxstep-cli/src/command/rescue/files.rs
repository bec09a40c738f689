//! The files of a robot: over SSH, or from its disk.

use crate::args::RescueArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::robot_way::Way;
use boxstep_rescue::copy::{AGAIN, CopyError, Limits, Listed, Summary, Watch, copy};
use boxstep_rescue::disk::{Disk, DiskError, DiskPath, FolderDisk, ImageDisk, ImageError, space_here};
use boxstep_rescue::manifest::{self, State};
use boxstep_types::printable_line;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// How often in sequence a robot may be out of reach without having sent anything, and the pauses between.
const TIMES: u32 = 6;
const PAUSE: Duration = Duration::from_secs(1);

/// Copies the disk of a robot that is not reached any more.
pub(super) fn of_disk(
    disk: &Path,
    folder: &Path,
    left: &mut Vec<String>,
    interrupt: &Interrupt,
) -> Result<Summary, Failure> {
    let metadata = std::fs::metadata(disk).map_err(|e| Failure::io(disk, &e))?;
    let mut opened: Box<dyn Disk> = if metadata.is_dir() {
        Box::new(FolderDisk::new(disk))
    } else {
        let image = ImageDisk::open(disk).map_err(|error| match error {
            ImageError::Io(error) => Failure::io(disk, &error),
            other => Failure::File(disk.to_owned(), other.to_string()),
        })?;
        left.extend(image.failed().iter().cloned());
        Box::new(image)
    };
    let mut bar = Bar::into(folder, interrupt);
    copy(&mut *opened, folder, Limits::default(), &mut Listed::default(), &mut bar).map_err(|error| match error {
        CopyError::NoPlaces => Failure::File(disk.to_owned(), error.to_string()),
        CopyError::Ended => Failure::Interrupted,
        error => Failure::Run(error.to_string()),
    })
}

/// Copies the files of a robot, and connects again if the connection is lost.
pub(super) fn of_robot(args: &RescueArgs, way: &Way, interrupt: &Interrupt) -> Result<Summary, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::Run(format!("{}: {why}", printable_line(way.name())));
    let mut bar = Bar::into(&args.folder, interrupt);
    let (mut ever, mut times, mut listed) = (false, 0, Listed::default());
    loop {
        let known = listed.count();
        bar.bytes = 0;
        let ended = match way.connect(interrupt) {
            Ok(mut disk) => {
                ever = true;
                match copy(&mut *disk, &args.folder, Limits::default(), &mut listed, &mut bar) {
                    Ok(summary) => return Ok(summary),
                    Err(CopyError::Ended) => return Err(Failure::Interrupted),
                    Err(CopyError::Lost(why)) => why,
                    Err(error) => return Err(failed(&error)),
                }
            }
            // A first connection that fails does so for a reason that a second one has, too.
            Err(DiskError::Lost(why)) if ever => why,
            Err(why) => return Err(failed(&way.with_help(&why.to_string()))),
        };
        if interrupt.has_come() {
            return Err(Failure::Interrupted);
        }
        // A connection that brought something is made again at once.
        times = if bar.come || listed.count() > known { 0 } else { times + 1 };
        (bar.come, bar.fresh) = (false, 0);
        if times == TIMES {
            return Err(failed(&ended));
        }
        bar.bar.set_message(format!("{}: connecting again", printable_line(&ended)));
        if times > 0 {
            interrupt.wait(PAUSE * 2_u32.pow(times - 1));
        }
    }
}

/// The progress of a rescue: bytes of bytes, and the file.
pub(crate) struct Bar<'a> {
    bar: ProgressBar,
    interrupt: &'a Interrupt,
    /// The bytes that are here.
    bytes: u64,
    /// Whether something has come over this connection: a file, or more than is read again after a cut.
    come: bool,
    fresh: u64,
    /// The free space of this computer's disk and what has been taken already, in bytes, until they are compared.
    room: Option<(u64, u64)>,
}

impl<'a> Bar<'a> {
    /// The progress of a rescue into a folder, which says if what is to come has no room there.
    fn into(folder: &Path, interrupt: &'a Interrupt) -> Self {
        let items = manifest::of_folder(folder).unwrap_or_default();
        let taken = items.values().map(|state| if let State::Taken(taken) = state { taken.size } else { 0 }).sum();
        let mut bar = Self::new(interrupt);
        bar.room = space_here(folder).map(|space| (space.free, taken));
        bar
    }

    pub(crate) fn new(interrupt: &'a Interrupt) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bytes}/{total_bytes} {bar:20} {eta} {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_message("looking at the disk");
        Self { bar, interrupt, bytes: 0, come: false, fresh: 0, room: None }
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Bar<'_> {
    fn found(&mut self, _: usize, bytes: u64) {
        self.bar.set_length(bytes);
        // A robot may say any size, and what comes first is dearer: it begins all the same.
        if let Some((free, taken)) = self.room.take().filter(|(free, taken)| bytes.saturating_sub(*taken) > *free) {
            let (to_come, free) = (HumanBytes(bytes.saturating_sub(taken)), HumanBytes(free));
            let words = format!(
                "this computer has {free} left, and {to_come} are to come: what people made comes first, and what comes last will not fit; give the same command again when there is room"
            );
            // Nobody may read it.
            let _ = writeln!(crate::terminal::stderr(), "{words}");
        }
    }

    fn file(&mut self, path: &DiskPath) {
        self.bar.set_message(printable_line(&path.text()).into_owned());
    }

    fn known(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.bar.set_position(self.bytes);
    }

    fn bytes(&mut self, bytes: u64) {
        self.fresh += bytes;
        self.come |= self.fresh > AGAIN;
        self.bytes += bytes;
        self.bar.set_position(self.bytes);
    }

    fn done(&mut self, before: bool) {
        self.come |= !before;
    }

    fn is_over(&mut self) -> bool {
        self.interrupt.has_come()
    }
}
