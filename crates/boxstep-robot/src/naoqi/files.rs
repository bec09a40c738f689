//! Files of the behavior that services request by path.
//!
//! A behavior's files are on this computer, and a robot's services look for paths on the robot. NAOqi has no call that
//! stores a file without leaving something installed, so nothing is copied. Sounds, pages and topics are passed to the
//! service by another of its own methods (`docs/reference/robots.md`); other files are refused with the reason.

use super::NaoqiOptions;
use super::http::Server;
use boxstep_engine::services::ServiceError;
use boxstep_types::Value;
use lofty::config::ParseOptions;
use lofty::file::AudioFile as _;
use lofty::probe::Probe;
use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where a robot finds the files of a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilesAre {
    /// At their own paths: the robot is a program on this computer.
    Shared,
    /// On a small local web server, while the behavior plays.
    Served,
}

/// How a call that may name a file is handled.
pub(super) enum Brought {
    /// It names no file of the project, and is sent unchanged.
    AsItIs,
    /// Another method of the same service is called instead; repeatedly, if it plays in a loop.
    Instead { method: &'static str, args: Vec<Value>, again: bool },
    /// It is answered locally, with this value.
    Answered(Value),
}

/// The files of a project.
pub(crate) struct Files {
    folder: Option<PathBuf>,
    package: String,
    name: String,
    server: Option<Server>,
    /// Sounds that scripts have loaded, by their numbers.
    loaded: Mutex<BTreeMap<i64, PathBuf>>,
}

/// The first number of a sound that is loaded here; it is so high that no robot assigns it.
const LOADED: i64 = 1_000_000_000;

/// The longest topic that is sent, in bytes.
const LONGEST_TOPIC: u64 = 4 << 20;

/// Services that only store or speak text, so that a path is like any other text.
const KEEPERS: [&str; 6] =
    ["ALMemory", "ALLogger", "LogManager", "ALPreferenceManager", "ALTextToSpeech", "ALAnimatedSpeech"];

impl Files {
    /// `here` is this computer's address on the robot's network; `peer` is the robot's address and port.
    pub(super) fn new(options: &NaoqiOptions, here: Option<IpAddr>, peer: &str) -> io::Result<Self> {
        let same = peer.parse::<SocketAddr>().is_ok_and(|a| a.ip().is_loopback());
        let are = options.files.unwrap_or(if same { FilesAre::Shared } else { FilesAre::Served });
        let folder = options.folder.as_ref().map(|f| f.canonicalize().unwrap_or_else(|_| f.clone()));
        let ip = here.unwrap_or([127, 0, 0, 1].into());
        let server = match (&folder, are) {
            (Some(folder), FilesAre::Served) => Some(Server::start(ip, folder.clone())?),
            _ => None,
        };
        let (package, name) = (options.package.clone(), options.name.clone());
        Ok(Self { folder, package, name, server, loaded: Mutex::default() })
    }

    pub(super) fn are_served(&self) -> bool {
        self.server.is_some()
    }

    /// Returns the project's file that the text names, if it is the path of one.
    fn ours(&self, value: Option<&Value>) -> Option<PathBuf> {
        let text = value?.as_str()?;
        let folder = self.folder.as_ref()?;
        let path = Path::new(text);
        let found = path.is_absolute().then(|| path.canonicalize().ok()).flatten()?;
        found.starts_with(folder).then_some(found)
    }

    /// Decides how a call is handled.
    pub(super) fn bring(&self, service: &str, method: &str, args: &[Value]) -> Result<Brought, ServiceError> {
        let Some(server) = &self.server else { return Ok(Brought::AsItIs) };
        match service {
            "ALAudioPlayer" => self.sound(server, method, args),
            "ALTabletService" => Ok(self.page(server, method, args)),
            "ALDialog" if method == "loadTopic" => match self.ours(args.first()) {
                Some(path) => {
                    Ok(Brought::Instead { method: "loadTopicContent", args: vec![topic(&path)?.into()], again: false })
                }
                None => Ok(Brought::AsItIs),
            },
            _ if KEEPERS.contains(&service) => Ok(Brought::AsItIs),
            _ => match args.iter().find_map(|arg| self.ours(Some(arg))) {
                Some(path) => Err(self.elsewhere(&path, service, method)),
                None => Ok(Brought::AsItIs),
            },
        }
    }

    fn elsewhere(&self, path: &Path, service: &str, method: &str) -> ServiceError {
        let file = self.folder.as_ref().and_then(|f| path.strip_prefix(f).ok()).unwrap_or(path);
        let file = if file.as_os_str().is_empty() { Path::new(".") } else { file };
        ServiceError::Failed(format!(
            "{} of the behavior lies on this computer, and {service}.{method} looks for it on {}",
            file.display(),
            self.name
        ))
    }

    fn sound(&self, server: &Server, method: &str, args: &[Value]) -> Result<Brought, ServiceError> {
        let number = |at: usize, default: f64| args.get(at).and_then(Value::as_f64).unwrap_or(default);
        let play = |path: &Path, volume: f64, pan: f64, again: bool| {
            let url = Value::from(server.url(path));
            Brought::Instead { method: "playWebStream", args: vec![url, volume.into(), pan.into()], again }
        };
        let from_the_start = |position: f64| {
            if position <= 0.0 {
                return Ok(());
            }
            Err(ServiceError::Failed(format!(
                "a sound that is brought to {} over the network begins at its beginning, not after {position} s",
                self.name
            )))
        };
        if let Some(path) = self.ours(args.first()) {
            return Ok(match method {
                "playFile" => play(&path, number(1, 1.0), number(2, 0.0), false),
                "playFileInLoop" => play(&path, number(1, 1.0), number(2, 0.0), true),
                "playFileFromPosition" | "playFileFromPositionInLoop" => {
                    from_the_start(number(1, 0.0))?;
                    play(&path, number(2, 1.0), number(3, 0.0), method.ends_with("Loop"))
                }
                "loadFile" => {
                    let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
                    let id = loaded.last_key_value().map_or(LOADED, |(last, _)| last + 1);
                    loaded.insert(id, path);
                    Brought::Answered(Value::Int(id))
                }
                _ => return Err(self.elsewhere(&path, "ALAudioPlayer", method)),
            });
        }
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let id = args.first().and_then(Value::as_i64).filter(|id| *id >= LOADED);
        let Some((id, path)) = id.and_then(|id| Some((id, loaded.get(&id)?.clone()))) else {
            return Ok(Brought::AsItIs);
        };
        Ok(match method {
            "play" => play(&path, number(1, 1.0), number(2, 0.0), false),
            "playInLoop" => play(&path, number(1, 1.0), number(2, 0.0), true),
            "unloadFile" => {
                loaded.remove(&id);
                Brought::Answered(Value::Null)
            }
            "getFileLength" => Brought::Answered(length(&path)?.into()),
            _ => return Err(self.elsewhere(&path, "ALAudioPlayer", method)),
        })
    }

    /// Handles pages and pictures of the package. `http://…/apps/<package>/…` is the file in the project's folder
    /// `html`.
    fn page(&self, server: &Server, method: &str, args: &[Value]) -> Brought {
        let known: &[&'static str] =
            &["showImage", "showImageNoCache", "preLoadImage", "showWebview", "loadUrl", "playVideo"];
        let Some(method) = known.iter().find(|m| **m == method) else { return Brought::AsItIs };
        let url = args.first().and_then(Value::as_str).unwrap_or_default();
        let mark = format!("/apps/{}/", self.package);
        let Some((_, rest)) = url.split_once(&mark).filter(|_| !self.package.is_empty()) else {
            return Brought::AsItIs;
        };
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let file =
            self.folder.as_ref().map(|folder| folder.join("html").join(rest)).and_then(|f| f.canonicalize().ok());
        match file.filter(|f| self.folder.as_ref().is_some_and(|folder| f.starts_with(folder)) && f.is_file()) {
            Some(file) => {
                let mut args = args.to_vec();
                args[0] = server.url(&file).into();
                Brought::Instead { method, args, again: false }
            }
            None => Brought::AsItIs,
        }
    }
}

/// Reads the text of a topic.
fn topic(path: &Path) -> Result<String, ServiceError> {
    let unread = |why: String| ServiceError::Failed(format!("cannot read the topic {}: {why}", path.display()));
    match std::fs::metadata(path) {
        Ok(found) if found.len() > LONGEST_TOPIC => Err(unread("it is too large".to_owned())),
        Ok(_) => std::fs::read_to_string(path).map_err(|e| unread(e.to_string())),
        Err(e) => Err(unread(e.to_string())),
    }
}

/// Returns the duration of a sound in seconds.
fn length(path: &Path) -> Result<f64, ServiceError> {
    let unread = |why: String| ServiceError::Failed(format!("cannot read {}: {why}", path.display()));
    let options = ParseOptions::new().read_tags(false).read_cover_art(false);
    let probe = Probe::open(path).map_err(|e| unread(e.to_string()))?.options(options);
    let file = probe.read().map_err(|e| unread(e.to_string()))?;
    Ok(file.properties().duration().as_secs_f64())
}
