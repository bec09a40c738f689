//! How files come over the network: piece by piece, from where they were cut off. A member gets those of a show, a leader
//! the recordings.

use crate::digest::Digest;
use crate::message::{CHUNK, Message};
use crate::show::Show;
use crate::store::Store;
use boxstep_types::Time;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

/// The largest text of a show, in bytes.
const MOST_SHOW: u64 = 8 << 20;
/// The largest file of a show, in bytes.
const MOST_FILE: u64 = 4 << 30;
/// How many pieces are asked for at a time.
const WINDOW: u32 = 8;
/// After how long without a piece they are asked for again.
const PATIENCE: Duration = Duration::from_millis(300);
/// How often a file that is not what it should be is fetched again.
const TRIES: u32 = 3;

/// What is to be done next.
pub(crate) enum Fetched {
    /// Send this to the leader.
    Want(Message),
    /// The text of the show is there.
    Show(Box<Show>),
    /// All files are there.
    All,
    /// A file cannot be had, for this reason.
    Failed(String),
}

/// The files that are still to come.
pub(crate) struct Fetch {
    missing: VecDeque<Wanted>,
    is_show: bool,
    is_done: bool,
    /// Bytes of files that are complete, and of all.
    complete: u64,
    total: u64,
    held: u64,
    asked: Option<Time>,
    /// The end of the pieces that were asked for.
    window: u64,
    failed: Option<String>,
}

struct Wanted {
    name: String,
    digest: Digest,
    size: u64,
    tries: u32,
}

impl Fetch {
    /// Begins with the text of the show.
    pub(crate) fn of_show(digest: Digest, size: u64) -> Self {
        let name = "the show".to_owned();
        Self::of(VecDeque::from([Wanted { name, digest, size, tries: 0 }]), true, MOST_SHOW)
    }

    /// Gets a recording.
    pub(crate) fn of_recording(digest: Digest, size: u64) -> Self {
        let name = "the recording".to_owned();
        Self::of(VecDeque::from([Wanted { name, digest, size, tries: 0 }]), false, MOST_FILE)
    }

    /// Goes on with the files of a robot.
    pub(crate) fn of_packages(&mut self, show: &Show, robot: usize) {
        let of = |package: usize| {
            let package = &show.packages[package];
            Wanted { name: package.name.clone(), digest: package.digest, size: package.size, tries: 0 }
        };
        *self = Self::of(show.packages_of(robot).into_iter().map(of).collect(), false, MOST_FILE);
    }

    fn of(missing: VecDeque<Wanted>, is_show: bool, most: u64) -> Self {
        let too_large = missing.iter().find(|wanted| wanted.size > most);
        let failed = too_large.map(|w| format!("{} has {} bytes; {most} is the most", w.name, w.size));
        let total = missing.iter().fold(0u64, |sum, wanted| sum.saturating_add(wanted.size));
        Self { missing, is_show, is_done: false, complete: 0, total, held: 0, asked: None, window: 0, failed }
    }

    /// Returns the bytes that are there and that are needed, while some are missing.
    pub(crate) fn progress(&self) -> Option<(u64, u64)> {
        (!self.is_done).then_some((self.complete + self.held, self.total))
    }

    /// Takes a piece of a file. Returns whether it was the next one.
    pub(crate) fn came(
        &mut self,
        now: Time,
        digest: Digest,
        offset: u64,
        bytes: &[u8],
        store: &mut impl Store,
    ) -> bool {
        let Some(wanted) = self.missing.front().filter(|wanted| wanted.digest == digest) else { return false };
        let held = store.held(digest);
        let fits = held.saturating_add(bytes.len() as u64) <= wanted.size;
        if bytes.is_empty() || offset != held || !fits || self.failed.is_some() {
            return false;
        }
        if let Err(why) = store.append(digest, bytes) {
            self.failed = Some(unwritable(&wanted.name, &why));
            return false;
        }
        self.held = held + bytes.len() as u64;
        // The next pieces are asked for once all of these are there, or when they take too long.
        self.asked = (self.held < self.window).then_some(now);
        true
    }

    /// Returns what is to be done now.
    pub(crate) fn go_on(&mut self, now: Time, store: &mut impl Store) -> Option<Fetched> {
        if self.is_done {
            return None;
        }
        if let Some(why) = &self.failed {
            return Some(Fetched::Failed(why.clone()));
        }
        let gone_on = self.next(now, store);
        if let Some(Fetched::Failed(why)) = &gone_on {
            // What has failed once is not tried again.
            self.failed = Some(why.clone());
        }
        gone_on
    }

    fn next(&mut self, now: Time, store: &mut impl Store) -> Option<Fetched> {
        while let Some(wanted) = self.missing.front_mut() {
            if !store.has(wanted.digest) {
                let held = store.held(wanted.digest);
                if held < wanted.size {
                    self.held = held;
                    return self.ask(now);
                }
                wanted.tries += 1;
                match store.complete(wanted.digest) {
                    Ok(true) => {}
                    Ok(false) if wanted.tries < TRIES => continue,
                    Ok(false) => {
                        return Some(Fetched::Failed(format!(
                            "{} came with other contents than announced",
                            wanted.name
                        )));
                    }
                    Err(why) => return Some(Fetched::Failed(unwritable(&wanted.name, &why))),
                }
            }
            self.complete += wanted.size;
            (self.held, self.asked) = (0, None);
            if self.is_show {
                return Some(read_show(wanted, store));
            }
            self.missing.pop_front();
        }
        self.is_done = true;
        Some(Fetched::All)
    }

    fn ask(&mut self, now: Time) -> Option<Fetched> {
        let wanted = self.missing.front()?;
        if self.asked.is_some_and(|asked| now.since(asked) < PATIENCE) {
            return None;
        }
        self.asked = Some(now);
        self.window = wanted.size.min(self.held + u64::from(WINDOW) * CHUNK as u64);
        Some(Fetched::Want(Message::Want { digest: wanted.digest, offset: self.held, count: WINDOW }))
    }
}

fn read_show(wanted: &Wanted, store: &impl Store) -> Fetched {
    let bytes = match store.read(wanted.digest, 0, MOST_SHOW as usize) {
        Ok(bytes) => bytes,
        Err(why) => return Fetched::Failed(unwritable(&wanted.name, &why)),
    };
    match serde_json::from_slice(&bytes) {
        Ok(show) => Fetched::Show(Box::new(show)),
        Err(why) => Fetched::Failed(format!("the show cannot be read: {why}")),
    }
}

/// Returns the pieces of a file that a peer wants.
pub(crate) fn pieces(digest: Digest, offset: u64, count: u32, read: impl Fn(u64) -> Option<Vec<u8>>) -> Vec<Message> {
    let mut pieces = Vec::new();
    for piece in 0..u64::from(count.min(WINDOW)) {
        let Some(offset) = offset.checked_add(piece * CHUNK as u64) else { break };
        match read(offset) {
            Some(bytes) if !bytes.is_empty() => pieces.push(Message::Chunk { digest, offset, bytes }),
            _ => break,
        }
    }
    pieces
}

fn unwritable(name: &str, why: &io::Error) -> String {
    format!("{name} cannot be kept on this computer: {why}")
}
