//! Segments on the disk: writes and syncs them, and removes old ones when the space is used up.

use super::FlightOptions;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// A segment takes at most this fraction of the space.
const PARTS: u64 = 16;
/// How many recordings of earlier runs are kept, if there is space.
const RUNS: usize = 20;
/// A recording that was written to more recently than this belongs to a run that goes on.
const FRESH: Duration = Duration::from_secs(120);

/// The recording of a run.
pub(super) struct Store {
    options: FlightOptions,
    folder: PathBuf,
    /// Finished segments: path, size in bytes, and when they were finished.
    segments: VecDeque<(PathBuf, u64, Instant)>,
    count: u64,
    current: Option<Current>,
    synced: Instant,
    dirty: bool,
    /// The bytes of recordings of earlier runs when they were last counted.
    others: u64,
}

struct Current {
    path: PathBuf,
    file: File,
    bytes: u64,
    began: Instant,
}

impl Store {
    /// Creates the folder of the recording.
    pub(super) fn create(options: FlightOptions) -> io::Result<Self> {
        let folder = options.folder.join(&options.name);
        fs::create_dir_all(&folder)?;
        let now = Instant::now();
        let mut store = Self {
            options,
            folder,
            segments: VecDeque::new(),
            count: 0,
            current: None,
            synced: now,
            dirty: false,
            others: 0,
        };
        // Errors of writing are found now, while the user can still be notified.
        store.begin("")?;
        Ok(store)
    }

    /// Writes lines, each of which is complete.
    pub(super) fn write(&mut self, header: &str, lines: &str) -> io::Result<()> {
        let part = self.part();
        let mut rest = lines;
        while !rest.is_empty() {
            // A batch after a pause may be larger than a segment.
            let most = rest.floor_char_boundary(part as usize);
            let cut = if rest.len() <= most { None } else { rest.get(..most).and_then(|piece| piece.rfind('\n')) };
            let cut = cut.or_else(|| rest.find('\n')).map_or(rest.len(), |end| end + 1);
            let (piece, after) = if rest.len() <= most { (rest, "") } else { rest.split_at(cut) };
            self.piece(header, piece)?;
            rest = after;
        }
        Ok(())
    }

    fn piece(&mut self, header: &str, lines: &str) -> io::Result<()> {
        let part = self.part();
        let full = self.current.as_ref().is_none_or(|current| {
            current.bytes > 0 && (current.began.elapsed() >= self.options.segment || current.bytes >= part)
        });
        if full {
            self.next(header)?;
        }
        match self.append(header, lines) {
            // Other programs' files may have filled the disk: remove the oldest recording, once.
            Err(error) if error.kind() == ErrorKind::StorageFull && self.remove_oldest() => {
                self.next(header)?;
                self.append(header, lines)
            }
            other => other,
        }
    }

    /// Returns the size of a segment in bytes.
    fn part(&self) -> u64 {
        self.options.bytes / PARTS
    }

    /// Returns how many bytes finished segments may take, so that the total including the current one stays within the
    /// limit.
    fn allowed(&self) -> u64 {
        self.options.bytes - 2 * self.part()
    }

    fn append(&mut self, header: &str, lines: &str) -> io::Result<()> {
        let Some(current) = &mut self.current else { return Err(ErrorKind::NotFound.into()) };
        for text in [if current.bytes == 0 { header } else { "" }, lines] {
            if let Err(error) = current.file.write_all(text.as_bytes()) {
                // Remove the part that was written, because it would be there twice after another attempt.
                let _ = current.file.set_len(current.bytes);
                return Err(error);
            }
            current.bytes += text.len() as u64;
        }
        self.dirty = true;
        Ok(())
    }

    /// Syncs the data to the disk, unless that was done shortly before.
    pub(super) fn sync(&mut self, now: bool) -> io::Result<()> {
        if !self.dirty || !(now || self.synced.elapsed() >= self.options.sync) {
            return Ok(());
        }
        if let Some(current) = &self.current {
            current.file.sync_data()?;
        }
        (self.synced, self.dirty) = (Instant::now(), false);
        Ok(())
    }

    /// Finishes the segment and starts the next one.
    fn next(&mut self, header: &str) -> io::Result<()> {
        self.sync(true)?;
        if let Some(done) = self.current.take() {
            self.segments.push_back((done.path, done.bytes, Instant::now()));
        }
        self.make_room();
        self.begin(header)
    }

    fn begin(&mut self, header: &str) -> io::Result<()> {
        self.count += 1;
        let path = self.folder.join(format!("{:06}.jsonl", self.count));
        let file = File::create(&path)?;
        // Sync the directory, too, so that the file's name survives.
        #[cfg(unix)]
        File::open(&self.folder)?.sync_all()?;
        let mut current = Current { path, file, bytes: 0, began: Instant::now() };
        if !header.is_empty() {
            current.file.write_all(header.as_bytes())?;
            current.bytes = header.len() as u64;
        }
        self.current = Some(current);
        Ok(())
    }

    /// Removes what is too old or too much. What cannot be removed stays until the next attempt.
    fn make_room(&mut self) {
        while self.segments.front().is_some_and(|(_, _, until)| until.elapsed() > self.options.keep) {
            self.remove_own();
        }
        self.remove_others();
        let allowed = self.allowed();
        while self.bytes() + self.others > allowed && self.remove_own() {}
    }

    fn bytes(&self) -> u64 {
        self.segments.iter().map(|(_, bytes, _)| bytes).sum()
    }

    /// Removes this run's oldest segment; returns false if there is none.
    fn remove_own(&mut self) -> bool {
        self.segments.pop_front().is_some_and(|(path, ..)| fs::remove_file(path).is_ok())
    }

    /// Removes recordings of earlier runs, the oldest first, before segments of this run.
    fn remove_others(&mut self) {
        let mut runs = others(&self.options.folder, &self.folder);
        let allowed = self.allowed();
        let mut total: u64 = runs.iter().map(|run| run.bytes).sum();
        runs.sort_by(|a, b| b.path.cmp(&a.path));
        while runs.len() > RUNS || total + self.bytes() > allowed {
            // A recording that is still written to belongs to another process, which limits it itself.
            let Some(at) = runs.iter().rposition(|run| !run.fresh) else { break };
            let run = runs.remove(at);
            total -= run.bytes;
            let _ = fs::remove_dir_all(&run.path);
        }
        self.others = total;
    }

    /// Removes the oldest recording or segment; returns false if there is nothing to remove.
    fn remove_oldest(&mut self) -> bool {
        let mut runs = others(&self.options.folder, &self.folder);
        runs.retain(|run| !run.fresh);
        let oldest = runs.iter().map(|run| &run.path).min();
        oldest.is_some_and(|path| fs::remove_dir_all(path).is_ok()) || self.remove_own()
    }
}

struct Run {
    path: PathBuf,
    bytes: u64,
    fresh: bool,
}

/// Returns the other recordings in a folder. Other files are ignored.
fn others(folder: &Path, own: &Path) -> Vec<Run> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut runs = Vec::new();
    for path in entries.filter(|path| path != own && path.is_dir()) {
        let mut run = Run { path, bytes: 0, fresh: false };
        let segments = super::read::segments(&run.path);
        if segments.is_empty() {
            continue;
        }
        for meta in segments.iter().filter_map(|segment| fs::metadata(segment).ok()) {
            run.bytes += meta.len();
            let age = meta.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
            run.fresh |= age.is_some_and(|age| age < FRESH);
        }
        runs.push(run);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flight::Segments;
    use std::io::Read as _;

    fn options(name: &str) -> FlightOptions {
        let folder = std::env::temp_dir().join(format!("boxstep-flight-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let zero = Duration::ZERO;
        let keep = Duration::from_secs(900);
        FlightOptions { folder, name: "run-2".to_owned(), keep, bytes: 16_000, segment: keep, sync: zero }
    }

    fn size(folder: &Path) -> u64 {
        let files = super::super::read::segments(folder);
        files.iter().map(|file| fs::metadata(file).unwrap().len()).sum()
    }

    fn text(folder: &Path) -> String {
        let mut text = String::new();
        Segments::open(folder).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    const HEADER: &str = "{\"schema\":1}\n";

    #[test]
    fn the_room_is_bounded_and_the_newest_lines_are_kept() {
        let options = options("bounded");
        let mut store = Store::create(options.clone()).unwrap();
        for n in 0..10_000 {
            store.write(HEADER, &format!("{{\"n\":{n}}}\n")).unwrap();
            assert!(n % 100 != 0 || size(&store.folder) <= options.bytes, "{n}");
        }
        let text = text(&store.folder);
        assert!(text.starts_with(HEADER) && text.ends_with("{\"n\":9999}\n"), "{text}");
        assert_eq!(text.matches("schema").count(), 1);
        // The remaining lines are without a gap, and most of the space is used.
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines[0], format!("{{\"n\":{}}}", 10_000 - lines.len()));
        assert!(text.len() > 8_000, "{}", text.len());
        fs::remove_dir_all(&options.folder).unwrap();
    }

    #[test]
    fn segments_that_are_too_old_are_removed() {
        let options = FlightOptions { keep: Duration::ZERO, segment: Duration::ZERO, ..options("old") };
        let mut store = Store::create(options.clone()).unwrap();
        for n in 0..50 {
            store.write(HEADER, &format!("{{\"n\":{n}}}\n")).unwrap();
        }
        let text = text(&store.folder);
        assert!(text.lines().count() <= 3 && text.ends_with("{\"n\":49}\n"), "{text}");
        fs::remove_dir_all(&options.folder).unwrap();
    }

    #[test]
    fn recordings_of_earlier_runs_make_room_first() {
        let options = options("earlier");
        let old = options.folder.join("run-1");
        fs::create_dir_all(&old).unwrap();
        let file = old.join("000001.jsonl");
        fs::write(&file, "x".repeat(8000)).unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(3600);
        File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
        let mut store = Store::create(options.clone()).unwrap();
        let mut n = 0;
        while old.exists() {
            assert_eq!(
                super::super::read::segments(&store.folder).len() as u64,
                store.count,
                "own segments went first"
            );
            store.write(HEADER, &format!("{{\"n\":{n}}}\n")).unwrap();
            n += 1;
            assert!(n < 10_000);
        }
        assert!(size(&store.folder) > 4000);
        fs::remove_dir_all(&options.folder).unwrap();
    }

    #[test]
    fn a_recording_that_is_still_written_is_left_alone() {
        let options = options("fresh");
        let other = options.folder.join("run-1");
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("000001.jsonl"), "x".repeat(8000)).unwrap();
        let mut store = Store::create(options.clone()).unwrap();
        for n in 0..5_000 {
            store.write(HEADER, &format!("{{\"n\":{n}}}\n")).unwrap();
        }
        assert!(other.exists() && size(&options.folder.join("run-2")) <= 8000 && size(&other) == 8000);
        // A large batch stays within the limit, too.
        let many: String = (0..5_000).map(|n| format!("{{\"n\":{n}}}\n")).collect();
        store.write(HEADER, &many).unwrap();
        assert!(size(&options.folder.join("run-2")) <= 8000);
        fs::remove_dir_all(&options.folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_at_once() {
        let options = options("refused");
        fs::write(&options.folder, "a file").unwrap();
        assert!(Store::create(options.clone()).is_err());
        fs::remove_file(&options.folder).unwrap();
    }
}
