//! An SFTP server in memory, with faults, and what the tests have in common.

use boxstep_rescue::copy::{CopyError, Limits, Listed, Summary, Watch, copy};
use boxstep_rescue::disk::{Disk, DiskPath};
use boxstep_rescue::sftp::Sftp;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read, Write};
use std::path::Path;
use std::rc::Rc;

/// A file, folder or link of a server's tree.
#[derive(Clone)]
pub(crate) enum Node {
    File(Vec<u8>),
    /// A file of so many bytes, which follow from their place.
    Long(u64),
    /// A file of which the server says another size.
    Lying(Vec<u8>, u64),
    Folder,
    Link(Vec<u8>),
    Socket,
    /// A file that nobody may read.
    Secret,
}

/// The tree of a server, by paths.
pub(crate) type Tree = BTreeMap<Vec<u8>, Node>;

pub(crate) fn long(at: u64) -> u8 {
    (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// Adds a file and the folders it is in.
pub(crate) fn put(tree: &mut Tree, path: &[u8], node: Node) {
    for (at, byte) in path.iter().enumerate() {
        if *byte == b'/' && at > 0 {
            tree.entry(path[..at].to_vec()).or_insert(Node::Folder);
        }
    }
    tree.insert(path.to_vec(), node);
}

/// A robot with something of everything.
pub(crate) fn robot() -> Tree {
    let mut tree = Tree::new();
    let apps = "/home/nao/.local/share/PackageManager/apps";
    let file = |bytes: &[u8]| Node::File(bytes.to_vec());
    put(&mut tree, format!("{apps}/dance/manifest.xml").as_bytes(), file(b"<package uuid=\"dance\"/>"));
    put(&mut tree, format!("{apps}/dance/behavior.xar").as_bytes(), file(b"<ChoregrapheProject/>"));
    put(&mut tree, format!("{apps}/dance/music.wav").as_bytes(), Node::Long(300_000));
    put(&mut tree, format!("{apps}/dance/latest").as_bytes(), Node::Link(b"behavior.xar".to_vec()));
    put(&mut tree, &[apps.as_bytes(), b"/dance/caf\xe9.txt"].concat(), file(b"latin"));
    put(&mut tree, format!("{apps}/dance/café.txt").as_bytes(), file(b"utf-8"));
    put(&mut tree, format!("{apps}/dance/README").as_bytes(), file(b"upper"));
    put(&mut tree, format!("{apps}/dance/readme").as_bytes(), file(b"lower"));
    put(&mut tree, format!("{apps}/dance/a:b").as_bytes(), file(b""));
    put(&mut tree, b"/home/nao/naoqi/preferences/autoload.ini", file(b"[python]\n/home/nao/mine.py\n"));
    put(&mut tree, b"/home/nao/mine.py", file(b"print('mine')\n"));
    put(&mut tree, b"/home/nao/.cache/thumb", file(b"nobody's work"));
    put(&mut tree, b"/home/nao/pipe", Node::Socket);
    put(&mut tree, b"/home/nao/secret", Node::Secret);
    put(&mut tree, b"/var/log/naoqi/head-naoqi.log", Node::Lying(b"three lines".to_vec(), 4));
    tree
}

/// What a server does wrong, and how much it was asked.
#[derive(Default)]
pub(crate) struct Faults {
    /// The connection ends after so many answers.
    pub(crate) cut: Option<usize>,
    /// Answers to reads have half of the bytes.
    pub(crate) halves: bool,
    /// Answers come in pairs, the second first.
    pub(crate) turned: bool,
    /// Entries of a folder have no attributes.
    pub(crate) bare: bool,
    /// Another answer in place of the right one of the n-th request.
    pub(crate) instead: Option<(usize, Vec<u8>)>,
}

/// The server's end of a connection.
pub(crate) struct Peer {
    tree: Rc<Tree>,
    faults: Faults,
    answered: usize,
    input: Vec<u8>,
    answers: Vec<Vec<u8>>,
    output: VecDeque<u8>,
    handles: Vec<(Vec<u8>, bool)>,
    cut: bool,
}

/// One of the two streams of a connection.
pub(crate) struct Stream(Rc<RefCell<Peer>>);

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut peer = self.0.borrow_mut();
        if peer.cut {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        peer.input.extend(bytes);
        while let Some(length) =
            peer.input.get(..4).map(|length| u32::from_be_bytes(length.try_into().unwrap()) as usize)
        {
            if peer.input.len() < 4 + length {
                break;
            }
            let message: Vec<u8> = peer.input.drain(..4 + length).skip(4).collect();
            let answer = peer.answer(&message);
            peer.answers.push(answer);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut peer = self.0.borrow_mut();
        if peer.output.is_empty() {
            if peer.faults.turned && peer.answers.len() > 1 {
                peer.answers.swap(0, 1);
            }
            if peer.answers.is_empty() {
                return Ok(0);
            }
            if peer.faults.cut == Some(peer.answered) {
                peer.cut = true;
                return Ok(0);
            }
            peer.answered += 1;
            let answer = peer.answers.remove(0);
            peer.output.extend((answer.len() as u32).to_be_bytes());
            peer.output.extend(answer);
        }
        let n = to.len().min(peer.output.len());
        for (to, byte) in to.iter_mut().zip(peer.output.drain(..n)) {
            *to = byte;
        }
        Ok(n)
    }
}

fn string(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_be_bytes(), bytes].concat()
}

impl Peer {
    pub(crate) fn connect(tree: &Rc<Tree>, faults: Faults) -> Rc<RefCell<Self>> {
        let (input, answers, output, handles) = (Vec::new(), Vec::new(), VecDeque::new(), Vec::new());
        let tree = tree.clone();
        Rc::new(RefCell::new(Self { tree, faults, answered: 0, input, answers, output, handles, cut: false }))
    }

    fn status(id: &[u8], code: u32, words: &str) -> Vec<u8> {
        [&[101], id, &code.to_be_bytes(), &string(words.as_bytes()), &string(b"")].concat()
    }

    fn attributes(node: &Node) -> Vec<u8> {
        let (size, mode) = match node {
            Node::File(bytes) => (bytes.len() as u64, 0o100_644),
            Node::Long(size) => (*size, 0o100_644),
            Node::Lying(_, size) => (*size, 0o100_600),
            Node::Folder => (4096, 0o040_755),
            Node::Link(target) => (target.len() as u64, 0o120_777),
            Node::Socket => (0, 0o140_755),
            Node::Secret => (7, 0o100_000),
        };
        let mut bytes = 0x8000_000f_u32.to_be_bytes().to_vec();
        bytes.extend(size.to_be_bytes());
        bytes.extend([0; 8]);
        bytes.extend(u32::to_be_bytes(mode));
        bytes.extend(1_400_000_000_u32.to_be_bytes());
        bytes.extend(1_400_000_001_u32.to_be_bytes());
        // One extended attribute.
        bytes.extend([1_u32.to_be_bytes().to_vec(), string(b"a@b"), string(b"c")].concat());
        bytes
    }

    fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        let (kind, id) = (message[0], &message[1..5]);
        if let Some((_, instead)) = self.faults.instead.as_ref().filter(|(number, _)| *number == self.answered) {
            return [&instead[..1], id, &instead[1..]].concat();
        }
        if kind == 1 {
            return [&[2][..], &3_u32.to_be_bytes()].concat();
        }
        let length = u32::from_be_bytes(message[5..9].try_into().unwrap()) as usize;
        let (text, rest) = (&message[9..9 + length], &message[9 + length..]);
        let name = |name: &[u8], attributes: &[u8]| [string(name), string(b"ls -l"), attributes.to_vec()].concat();
        let none = 0_u32.to_be_bytes().to_vec();
        let handle = |peer: &mut Self| {
            peer.handles.push((text.to_vec(), false));
            [&[102][..], id, &string(&[peer.handles.len() as u8 - 1])].concat()
        };
        match (kind, self.tree.get(text).cloned()) {
            (11, Some(Node::Folder)) => {
                self.handles.clear();
                handle(self)
            }
            (3, Some(Node::Secret)) => Self::status(id, 3, "Permission denied"),
            (3, Some(Node::File(_) | Node::Long(_) | Node::Lying(..))) => {
                assert_eq!(rest[..4], [0, 0, 0, 1], "it is opened to be read only");
                self.handles.clear();
                handle(self)
            }
            (12, _) => {
                let (folder, told) = &mut self.handles[text[0] as usize];
                if std::mem::replace(told, true) {
                    return Self::status(id, 1, "End of file");
                }
                let inside = |path: &[u8]| path.strip_prefix(&folder[..])?.strip_prefix(b"/").map(<[u8]>::to_vec);
                let mut entries = vec![name(b".", &none), name(b"..", &none)];
                for (path, node) in self.tree.iter() {
                    if let Some(inner) = inside(path).filter(|inner| !inner.contains(&b'/')) {
                        let attributes = if self.faults.bare { none.clone() } else { Self::attributes(node) };
                        entries.push(name(&inner, &attributes));
                    }
                }
                [&[104][..], id, &(entries.len() as u32).to_be_bytes(), &entries.concat()].concat()
            }
            (7, Some(node)) => [&[105][..], id, &Self::attributes(&node)].concat(),
            (5, _) => {
                let at = u64::from_be_bytes(rest[..8].try_into().unwrap());
                let wanted = u64::from(u32::from_be_bytes(rest[8..12].try_into().unwrap()));
                let wanted = if self.faults.halves { wanted.div_ceil(2) } else { wanted };
                let bytes: Vec<u8> = match &self.tree[&self.handles[text[0] as usize].0] {
                    Node::File(bytes) | Node::Lying(bytes, _) => {
                        bytes.iter().skip(at as usize).take(wanted as usize).copied().collect()
                    }
                    Node::Long(size) => (at..(at + wanted).min(*size)).map(long).collect(),
                    _ => Vec::new(),
                };
                if bytes.is_empty() {
                    return Self::status(id, 1, "End of file");
                }
                [&[103][..], id, &string(&bytes)].concat()
            }
            (16, _) => [&[104][..], id, &1_u32.to_be_bytes(), &name(b"/home/nao", &none)].concat(),
            (19, Some(Node::Link(target))) => [&[104][..], id, &1_u32.to_be_bytes(), &name(&target, &none)].concat(),
            (4, _) => Self::status(id, 0, ""),
            (3 | 7 | 11 | 19, _) => Self::status(id, 2, "No such file"),
            _ => panic!("a message that does not read: {kind}"),
        }
    }
}

/// Connects to a server.
pub(crate) fn disk(tree: &Rc<Tree>, faults: Faults) -> Result<Box<dyn Disk>, boxstep_rescue::disk::DiskError> {
    let peer = Peer::connect(tree, faults);
    Ok(Box::new(Sftp::open(Stream(peer.clone()), Stream(peer))?))
}

/// One who watches, and does not end it.
#[derive(Default)]
pub(crate) struct Silent {
    pub(crate) before: usize,
    pub(crate) bytes: u64,
    pub(crate) over_at: Option<u64>,
}

impl Watch for Silent {
    fn found(&mut self, _: usize, _: u64) {}
    fn file(&mut self, _: &DiskPath) {}
    fn known(&mut self, _: u64) {}
    fn bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }
    fn done(&mut self, before: bool) {
        self.before += usize::from(before);
    }
    fn is_over(&mut self) -> bool {
        self.over_at.is_some_and(|at| self.bytes >= at)
    }
}

/// Copies all of a server's tree, over a connection with faults.
pub(crate) fn rescued(tree: &Rc<Tree>, faults: Faults, into: &Path) -> Result<Summary, CopyError> {
    let mut disk = disk(tree, faults).map_err(|error| CopyError::Lost(error.to_string()))?;
    copy(&mut *disk, into, Limits::default(), &mut Listed::default(), &mut Silent::default())
}

/// The files of a folder with their bytes, by their paths.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            files.extend(self::files(&entry.path()).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            files.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    files
}
