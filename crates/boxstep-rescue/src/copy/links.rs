//! Links on the way to a place: owners put packages on another disk, with a link in their place.

use super::{Copy, CopyError};
use crate::disk::{DiskError, DiskPath, Entry, Kind};

/// How many links may be on the way to a place.
const LINKS: usize = 16;

impl Copy<'_> {
    /// Returns the folder that links on the way to a place lead to within the disk, and what it has.
    pub(super) fn led_to(&mut self, place: &DiskPath) -> Result<Option<(DiskPath, Vec<Entry>)>, CopyError> {
        let (mut path, mut links) = (DiskPath::new(b"/"), 0);
        let mut rest: Vec<Vec<u8>> = place.names().map(<[u8]>::to_vec).collect();
        rest.reverse();
        while let Some(name) = rest.pop() {
            match &name[..] {
                b"" | b"." => continue,
                b".." => {
                    path = path.parent();
                    continue;
                }
                _ => {}
            }
            let next = path.join(&name);
            let target = match self.disk.stat(&next) {
                Ok(entry) if entry.kind == Kind::Link && links < LINKS => self.link(&next),
                Ok(entry) if entry.kind == Kind::Folder => {
                    path = next;
                    continue;
                }
                Ok(_) => return Ok(None),
                Err(why) => Err(why),
            };
            match target {
                Ok(target) => {
                    links += 1;
                    if target.starts_with(b"/") {
                        path = DiskPath::new(b"/");
                    }
                    rest.extend(target.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec));
                }
                Err(DiskError::Lost(why)) => return Err(CopyError::Lost(why)),
                Err(_) if links == 0 => return Ok(None),
                Err(_) => {
                    let why = "a link on the way leads to nothing on this disk".to_owned();
                    return self.leave(place, why).map(|()| None);
                }
            }
        }
        if links == 0 {
            return Ok(None);
        }
        Ok(self.entries_of(&path, true)?.map(|entries| (path, entries)))
    }
}
