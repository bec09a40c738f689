//! A read-only web server for the files of one project, for one robot and one run. Its paths contain a secret word.

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher as _;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The most requests at a time.
const MOST: usize = 16;
/// The longest line of a request in bytes, and the most header lines.
const LONGEST: u64 = 8192;
const LINES: usize = 100;
/// How long a client may send or read nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// The server; dropping it closes it.
pub(super) struct Server {
    address: SocketAddr,
    word: String,
    folder: PathBuf,
    closed: Arc<AtomicBool>,
}

impl Server {
    /// Serves the files of a folder (an absolute path without links) at the address at which the robot reaches this
    /// computer.
    pub(super) fn start(ip: IpAddr, folder: PathBuf) -> io::Result<Self> {
        let listener = TcpListener::bind((ip, 0))?;
        let address = listener.local_addr()?;
        let random = || RandomState::new().hash_one(address);
        let word = format!("{:016x}{:016x}", random(), random());
        let closed = Arc::new(AtomicBool::new(false));
        let (over, place) = (closed.clone(), Arc::new((word.clone(), folder.clone())));
        let busy = Arc::new(AtomicUsize::new(0));
        std::thread::Builder::new().name("naoqi-files".to_owned()).spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::Acquire) {
                    return;
                }
                if busy.fetch_add(1, Ordering::AcqRel) >= MOST {
                    busy.fetch_sub(1, Ordering::AcqRel);
                    continue; // Dropping the stream closes it.
                }
                let (place, served) = (place.clone(), busy.clone());
                let answer = move || {
                    // If the client hangs up, its request is over.
                    let _ = answer(&stream, &place.0, &place.1);
                    served.fetch_sub(1, Ordering::AcqRel);
                };
                if std::thread::Builder::new().name("naoqi-file".to_owned()).spawn(answer).is_err() {
                    busy.fetch_sub(1, Ordering::AcqRel);
                }
            }
        })?;
        Ok(Self { address, word, folder, closed })
    }

    /// Returns the URL of a file in the folder.
    pub(super) fn url(&self, file: &Path) -> String {
        let inside = file.strip_prefix(&self.folder).unwrap_or(file);
        let mut url = format!("http://{}/{}", self.address, self.word);
        for part in inside {
            url.push('/');
            for byte in part.to_string_lossy().bytes() {
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    url.push(char::from(byte));
                } else {
                    url.push_str(&format!("%{byte:02X}"));
                }
            }
        }
        url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Release);
        // Wakes the listening thread.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_millis(200));
    }
}

fn answer(stream: &TcpStream, word: &str, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut line = || -> io::Result<String> {
        let mut line = String::new();
        (&mut reader).take(LONGEST).read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    };
    let request = line()?;
    let mut range = None;
    for _ in 0..LINES {
        let header = line()?;
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("range")
        {
            range = parse_range(value.trim());
        }
    }
    let mut words = request.split_ascii_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method != "GET" && method != "HEAD" {
        return refuse(stream, "405 Method Not Allowed");
    }
    let Some(file) = find(path, word, folder) else { return refuse(stream, "404 Not Found") };
    let mut content = File::open(&file)?;
    let size = content.metadata()?.len();
    let (status, from, to) = match range {
        Some((from, to)) if from < size => ("206 Partial Content", from, to.unwrap_or(size - 1).min(size - 1) + 1),
        Some(_) => return refuse(stream, "416 Range Not Satisfiable"),
        None => ("200 OK", 0, size),
    };
    let mut head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nAccept-Ranges: bytes\r\nConnection: close\r\n",
        kind(&file),
        to - from
    );
    if status.starts_with("206") {
        head.push_str(&format!("Content-Range: bytes {from}-{}/{size}\r\n", to - 1));
    }
    head.push_str("\r\n");
    let mut out = stream;
    out.write_all(head.as_bytes())?;
    if method == "GET" {
        content.seek(SeekFrom::Start(from))?;
        io::copy(&mut content.take(to - from), &mut out)?;
    }
    out.flush()
}

fn refuse(mut stream: &TcpStream, status: &str) -> io::Result<()> {
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

/// Parses `bytes=5-` and `bytes=5-9`; other forms are ignored.
fn parse_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (from, to) = text.strip_prefix("bytes=")?.split_once('-')?;
    let from = from.parse().ok()?;
    let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
    to.is_none_or(|to: u64| to >= from).then_some((from, to))
}

/// Returns the file that a path means: one in the folder, after the secret word.
fn find(path: &str, word: &str, folder: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix('/')?.strip_prefix(word)?.strip_prefix('/')?;
    let rest = rest.split(['?', '#']).next()?;
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        bytes.push(if byte == b'%' {
            let digit = |b: u8| char::from(b).to_digit(16);
            u8::try_from(digit(left.next()?)? * 16 + digit(left.next()?)?).ok()?
        } else {
            byte
        });
    }
    let found = folder.join(String::from_utf8(bytes).ok()?).canonicalize().ok()?;
    (found.starts_with(folder) && found.is_file()).then_some(found)
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("wav") => "audio/x-wav",
        Some("mp3") => "audio/mpeg",
        Some("ogg" | "oga") => "audio/ogg",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("html" | "htm") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("mp4") => "video/mp4",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(url: &str, headers: &str) -> String {
        let rest = url.strip_prefix("http://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn files_of_the_folder_are_served_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("boxstep-http-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("a b")).unwrap();
        std::fs::write(folder.join("a b/s\u{fc}\u{df}.ogg"), "0123456789").unwrap();
        let folder = folder.canonicalize().unwrap();
        let server = Server::start([127, 0, 0, 1].into(), folder.clone()).unwrap();
        let url = server.url(&folder.join("a b/s\u{fc}\u{df}.ogg"));
        assert!(url.ends_with("/a%20b/s%C3%BC%C3%9F.ogg"), "{url}");
        let all = get(&url, "");
        assert!(
            all.starts_with("HTTP/1.1 200 OK\r\n") && all.contains("audio/ogg") && all.ends_with("\r\n\r\n0123456789")
        );
        let part = get(&url, "Range: bytes=2-4\r\n");
        assert!(part.contains("206") && part.contains("bytes 2-4/10") && part.ends_with("\r\n\r\n234"), "{part}");
        assert!(get(&url, "range: bytes=10-\r\n").contains("416"));
        let base = url.strip_suffix("/a%20b/s%C3%BC%C3%9F.ogg").unwrap();
        for wrong in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/a%20b", "/none", "/%zz"] {
            assert!(get(&format!("{base}{wrong}"), "").contains("404"), "{wrong}");
        }
        let (host, _) = base.rsplit_once('/').unwrap();
        assert!(get(&format!("{host}/a%20b/s%C3%BC%C3%9F.ogg"), "").contains("404"), "the word is needed");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
