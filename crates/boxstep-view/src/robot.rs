//! What is drawn of a robot: its body as JSON.

use crate::files;
use crate::tablet::{Place, Tablet};
use boxstep_bodies::Body;
use serde_json::json;
use std::path::PathBuf;

/// What is drawn of a robot, and where its files are. Only files of the listed types are served.
#[derive(Clone)]
pub struct Robot {
    /// The body.
    pub body: &'static Body,
    /// A folder with meshes, each named after a link: `Head.glb`, `Head.stl`.
    pub meshes: Option<PathBuf>,
    /// The behavior's folder, from which sounds are played.
    pub folder: Option<PathBuf>,
    /// Whether it is simulated: its page sends it to postures.
    pub simulated: bool,
    /// The tablet, if the application has pages for it.
    pub tablet: Option<Tablet>,
}

impl Robot {
    /// Creates a robot without files.
    pub fn of(body: &'static Body) -> Self {
        Self { body, meshes: None, folder: None, simulated: false, tablet: None }
    }

    /// Returns the JSON of `/body` in `docs/reference/view-protocol.md`.
    pub(crate) fn json(&self, tablet: Option<&Place>) -> String {
        let mut json = boxstep_draw::body(self.body, &|link| self.mesh(link));
        let postures = self.body.postures.iter().filter(|_| self.simulated).map(|posture| posture.name);
        json["sounds"] = self.folder.is_some().into();
        json["postures"] = postures.collect::<Vec<_>>().into();
        json["tablet"] = tablet.map(|place| json!({"port": place.port, "key": place.key.text()})).into();
        json.to_string()
    }

    /// Returns the file of a link in the user's folder.
    fn mesh(&self, link: &str) -> Option<String> {
        let folder = self.meshes.as_ref()?;
        let mut names = files::MESHES.kinds.iter().map(|(ending, _)| format!("{link}.{ending}"));
        names.find(|name| files::path_within(folder, name, &files::MESHES).is_some())
    }
}
