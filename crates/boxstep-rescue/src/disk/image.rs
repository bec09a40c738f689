//! The image of a robot's disk: of the whole of it, or of one partition.

use super::{Disk, DiskError, DiskPath, Entry, Kind, Sink, pass_on, too_many};
use ext4_view::{Ext4, Ext4Error, Ext4Read, FileType, Metadata};
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// A sector, in bytes.
const SECTOR: u64 = 512;
/// How many partitions of an image are looked at.
const PARTITIONS: usize = 128;

/// An image with the file systems ext2, ext3 or ext4, which robots have. The first folder of a path is the partition, if
/// it has several.
pub struct ImageDisk {
    partitions: Vec<Ext4>,
    failed: Vec<String>,
}

impl fmt::Debug for ImageDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImageDisk").field("partitions", &self.partitions.len()).finish()
    }
}

/// Why an image cannot be read.
#[derive(Debug)]
pub enum ImageError {
    /// The file cannot be read.
    Io(io::Error),
    /// It has no file system that is known; why the first was not read.
    NoFileSystem(String),
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NoFileSystem(why) => write!(f, "no file system ext2, ext3 or ext4 was found in it: {why}"),
        }
    }
}

impl Error for ImageError {}

/// A part of a file, which a file system is read from.
struct Part {
    file: File,
    start: u64,
}

impl Ext4Read for Part {
    fn read(&mut self, start_byte: u64, dst: &mut [u8]) -> Result<(), Box<dyn Error + Send + Sync + 'static>> {
        let at = self.start.checked_add(start_byte).ok_or("an offset beyond the end")?;
        self.file.seek(SeekFrom::Start(at))?;
        Ok(self.file.read_exact(dst)?)
    }
}

impl ImageDisk {
    /// Opens an image.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn open(path: &Path) -> Result<Self, ImageError> {
        let open = || File::open(path).map_err(ImageError::Io);
        let whole = match Ext4::load(Box::new(Part { file: open()?, start: 0 })) {
            Ok(whole) => return Ok(Self { partitions: vec![whole], failed: Vec::new() }),
            Err(error) => error,
        };
        let starts = partitions(&mut open()?).map_err(ImageError::Io)?;
        let (mut partitions, mut failed) = (Vec::new(), Vec::new());
        for start in starts {
            match Ext4::load(Box::new(Part { file: open()?, start })) {
                Ok(partition) => partitions.push(partition),
                Err(why) => failed.push(format!("the partition at byte {start}: {why}")),
            }
        }
        if partitions.is_empty() {
            return Err(ImageError::NoFileSystem(whole.to_string()));
        }
        Ok(Self { partitions, failed })
    }

    /// Returns the partitions that were not read, and why: those of swap memory, too.
    pub fn failed(&self) -> &[String] {
        &self.failed
    }

    /// Returns the partition of a path, and the path there.
    fn part<'a>(&self, path: &'a DiskPath) -> Result<(&Ext4, std::borrow::Cow<'a, [u8]>), DiskError> {
        if let [only] = &self.partitions[..] {
            return Ok((only, path.bytes().into()));
        }
        let mut names = path.names();
        let number = names.next().and_then(|name| std::str::from_utf8(name).ok()?.parse::<usize>().ok());
        let part = number.and_then(|number| self.partitions.get(number.checked_sub(1)?)).ok_or(DiskError::Missing)?;
        let rest = names.fold(Vec::new(), |path, name| [&path, &b"/"[..], name].concat());
        Ok((part, if rest.is_empty() { b"/".to_vec() } else { rest }.into()))
    }
}

/// Returns where the partitions of a disk begin, in bytes: those of a GPT, or those of an MBR with the logical ones.
fn partitions(file: &mut File) -> io::Result<Vec<u64>> {
    let (mut sector, mut starts) = ([0; SECTOR as usize], Vec::new());
    let mut read = |at: u64, sector: &mut [u8; SECTOR as usize]| {
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(sector)
    };
    read(0, &mut sector)?;
    if sector[510..] != [0x55, 0xaa] {
        return Ok(starts);
    }
    let entries = |sector: &[u8; SECTOR as usize]| -> Vec<(u8, u64)> {
        let entry = |at: usize| (sector[at + 4], u64::from(u32_at(sector, at + 8)) * SECTOR);
        (0..4).map(|n| entry(446 + 16 * n)).filter(|(kind, start)| *kind != 0 && *start != 0).collect()
    };
    let primary = entries(&sector);
    if primary.iter().any(|(kind, _)| *kind == 0xee) {
        read(SECTOR, &mut sector)?;
        let (first, count, size) = (u64_at(&sector, 72), u32_at(&sector, 80), u32_at(&sector, 84));
        if &sector[..8] != b"EFI PART" || size < 128 {
            return Ok(starts);
        }
        for number in 0..u64::from(count).min(PARTITIONS as u64) {
            let at = first.saturating_mul(SECTOR).saturating_add(number * u64::from(size));
            read(at / SECTOR * SECTOR, &mut sector)?;
            let start = u64_at(&sector, (at % SECTOR) as usize + 32);
            starts.extend((start != 0).then(|| start.saturating_mul(SECTOR)));
        }
        return Ok(starts);
    }
    for (kind, start) in primary {
        if !matches!(kind, 5 | 0xf | 0x85) {
            starts.push(start);
            continue;
        }
        // A list of sectors, each with one logical partition and the place of the next sector.
        let mut at = start;
        while starts.len() < PARTITIONS && read(at, &mut sector).is_ok() {
            let mut next = None;
            for (kind, offset) in entries(&sector) {
                if matches!(kind, 5 | 0xf | 0x85) {
                    next = Some(start.saturating_add(offset));
                } else {
                    starts.push(at.saturating_add(offset));
                }
            }
            match next {
                Some(next) if next > at => at = next,
                _ => break,
            }
        }
    }
    Ok(starts)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// Where homes are in what was copied from a disk: on the whole of it, on the partition that robots have for them, and in
/// a copy of the home alone.
pub(crate) const HOMES: [&str; 5] = ["/home/nao", "/var/persistent/home/nao", "/data/home/nao", "/nao", ""];
/// What a home has, one of them.
const SIGNS: [&str; 4] = [".local/share/PackageManager", "naoqi", "behaviors", "recordings"];

/// Returns the homes of a disk that can say whether a folder is there.
pub(super) fn homes(is_folder: impl Fn(&DiskPath) -> bool) -> Result<Vec<DiskPath>, DiskError> {
    let is_home = |home: &&str| {
        let path = DiskPath::new(home.as_bytes());
        let signed = || SIGNS.iter().any(|sign| is_folder(&path.join(sign.as_bytes())));
        is_folder(&path) && (home.ends_with("home/nao") || signed())
    };
    // All of them: one may be the empty folder over which another is mounted.
    let found = HOMES.iter().copied().filter(is_home).map(|home| DiskPath::new(home.as_bytes()));
    let mut found: Vec<DiskPath> = found.collect();
    if found.len() > 1 {
        // What has another home in it is no copy of one.
        found.retain(|home| home.names().next().is_some());
    }
    Ok(found)
}

fn of(error: Ext4Error) -> DiskError {
    match error {
        Ext4Error::NotFound | Ext4Error::NotADirectory => DiskError::Missing,
        error => DiskError::Refused(error.to_string()),
    }
}

fn path(bytes: &[u8]) -> Result<ext4_view::Path<'_>, DiskError> {
    ext4_view::Path::try_from(bytes).map_err(|error| DiskError::Refused(error.to_string()))
}

fn entry(name: Vec<u8>, metadata: &Metadata) -> Entry {
    let kind = match metadata.file_type() {
        FileType::Regular => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    };
    let (modified, mode) = (metadata.modified().seconds(), u32::from(metadata.mode()) & 0o7777);
    Entry { name, kind, size: metadata.len(), modified, mode }
}

impl Disk for ImageDisk {
    fn list(&mut self, folder: &DiskPath, most: usize) -> Result<Vec<Entry>, DiskError> {
        let (part, folder) = self.part(folder)?;
        let mut entries = Vec::new();
        for one in part.read_dir(path(&folder)?).map_err(of)? {
            let one = one.map_err(of)?;
            let name = one.file_name().as_ref().to_vec();
            if name == b"." || name == b".." {
                continue;
            }
            if entries.len() == most {
                return Err(too_many(most));
            }
            // One that is damaged does not take the others with it.
            entries.push(match one.metadata() {
                Ok(metadata) => entry(name, &metadata),
                Err(_) => Entry::unknown(name),
            });
        }
        Ok(entries)
    }

    fn stat(&mut self, path: &DiskPath) -> Result<Entry, DiskError> {
        let (part, file) = self.part(path)?;
        part.symlink_metadata(self::path(&file)?).map(|metadata| entry(Vec::new(), &metadata)).map_err(of)
    }

    fn read(&mut self, file: &DiskPath, from: u64, most: u64, to: &mut Sink<'_>) -> Result<(), DiskError> {
        let (part, file) = self.part(file)?;
        let path = path(&file)?;
        if part.symlink_metadata(path).map_err(of)?.file_type() != FileType::Regular {
            return Err(DiskError::Refused("it is not a file".to_owned()));
        }
        let mut file = part.open(path).map_err(of)?;
        file.seek_to(from).map_err(of)?;
        pass_on(most, to, |buffer| file.read_bytes(buffer).map_err(of))
    }

    fn link(&mut self, link: &DiskPath) -> Result<Vec<u8>, DiskError> {
        let (part, link) = self.part(link)?;
        Ok(part.read_link(path(&link)?).map_err(of)?.as_ref().to_vec())
    }

    fn homes(&mut self) -> Result<Vec<DiskPath>, DiskError> {
        let is_folder = |part: &Ext4, place: &DiskPath| {
            path(place.bytes()).is_ok_and(|path| part.symlink_metadata(path).is_ok_and(|found| found.is_dir()))
        };
        let mut all = Vec::new();
        let several = self.partitions.len() > 1;
        for (number, part) in self.partitions.iter().enumerate() {
            for home in homes(|place| is_folder(part, place))? {
                let within = DiskPath::new(if several { format!("/{}", number + 1) } else { String::new() }.as_bytes());
                all.push(home.names().fold(within, |path, name| path.join(name)));
            }
        }
        Ok(all)
    }

    fn roots(&self) -> Vec<DiskPath> {
        match self.partitions.len() {
            1 => vec![DiskPath::new(b"/")],
            several => (1..=several).map(|number| DiskPath::new(format!("/{number}").as_bytes())).collect(),
        }
    }
}
