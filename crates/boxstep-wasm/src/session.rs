//! A file that a page shows and edits, and the page's requests.

use crate::refusal::Refusal;
use boxstep_bodies::Body;
use boxstep_check::Context;
use boxstep_draw::Level;
use boxstep_dynamics::body_of_files;
use boxstep_edit::{Change, Document, EditError, EditFinding, EditRequest, EditState, copied, offered, said};
use boxstep_types::BoxPath;
use serde::{Deserialize, Serialize};

/// What a page asks, as JSON. Each is a route of the server in `boxstep-view`, and has the same answer.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// The behavior as JSON (`docs/schemas/behavior.json`).
    Model {},
    /// A drawing of the inside of a box.
    Level {
        /// The path of the box in the page; empty for the whole behavior.
        #[serde(default)]
        path: String,
        /// The path of the root in the page, if it differs from that in the file.
        root: Option<String>,
    },
    /// The postures that a box's timeline moves the robot through, as JSON.
    Postures {
        /// The path of the box in the page.
        #[serde(default)]
        path: String,
        /// The path of the root in the page, if it differs from that in the file.
        root: Option<String>,
    },
    /// The robot that the file was made for, as JSON.
    Body {},
    /// The state of the file: an [`EditState`].
    State {},
    /// Do something to the file; the answer is its [`EditState`].
    Edit {
        /// What to do.
        request: EditRequest,
    },
    /// Boxes as they are pasted: `{"clip": …}`.
    Copied {
        /// The boxes, by their paths in the file.
        boxes: Vec<BoxPath>,
    },
    /// What a box says, in each language: a [`boxstep_edit::Said`]; `null` if it says nothing.
    Said {
        /// The box, by its path in the file.
        path: BoxPath,
    },
    /// What is wrong with the file: a list of [`EditFinding`].
    Findings {},
    /// The boxes of the library.
    Library {},
    /// A drawing of what the signs of drawings mean, as SVG.
    Legend {},
    /// The text of the file as it is now, without the byte order mark.
    Text {},
}

/// A file that a page shows and edits.
#[derive(Debug)]
pub struct Session {
    /// The file's name, as the user knows it.
    name: String,
    document: Document,
    /// The file as it was read, or saved last.
    saved: Vec<u8>,
    /// The robot that it was made for.
    body: &'static Body,
}

impl Session {
    /// Opens a file.
    ///
    /// # Errors
    /// The file is no behavior.
    pub fn open(name: &str, bytes: &[u8]) -> Result<Self, Refusal> {
        let document = Document::read(name, bytes)?;
        let body = body_of_files(&[], &document.file().project).0.body();
        Ok(Self { name: name.to_owned(), document, saved: bytes.to_vec(), body })
    }

    /// The file as it is now, encoded as the one that was read.
    pub fn bytes(&self) -> Vec<u8> {
        self.document.file().to_bytes()
    }

    /// Answers a [`Request`] in JSON.
    ///
    /// # Errors
    /// It is no request, or cannot be done.
    pub fn ask(&mut self, request: &str) -> Result<String, Refusal> {
        self.answer(serde_json::from_str(request).map_err(Refusal::Request)?)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// It cannot be done.
    pub fn answer(&mut self, request: Request) -> Result<String, Refusal> {
        let file = self.document.file();
        Ok(match request {
            Request::Model {} => boxstep_draw::live_json(&self.name, file),
            Request::Level { path, root } => {
                let level = Level::shown(&file.project, &path, root.as_deref())?;
                boxstep_draw::live(&file.project, &level, self.body, root.as_deref(), true)
            }
            Request::Postures { path, root } => {
                let level = Level::shown(&file.project, &path, root.as_deref())?;
                boxstep_draw::postures(&level, self.body).ok_or(Refusal::Motionless)?
            }
            Request::Body {} => {
                let mut robot = boxstep_draw::body(self.body, &|_| None);
                robot["sounds"] = false.into();
                robot["tablet"] = serde_json::Value::Null;
                robot.to_string()
            }
            Request::State {} => json(&self.state(&[])),
            Request::Edit { request } => json(&self.edit(request)?),
            Request::Copied { boxes } => json(&serde_json::json!({ "clip": copied(file, &boxes)? })),
            Request::Said { path } => match said(file, &path) {
                Ok(said) => json(&said),
                Err(EditError::NoText(_)) => json(&()),
                Err(e) => return Err(e.into()),
            },
            Request::Findings {} => json(&self.findings()),
            Request::Library {} => json(&offered()),
            Request::Legend {} => boxstep_draw::legend(),
            Request::Text {} => file.text().to_owned(),
        })
    }

    fn state(&self, changes: &[Change]) -> EditState {
        EditState::of(&self.document, &self.name, changes)
    }

    fn edit(&mut self, request: EditRequest) -> Result<EditState, Refusal> {
        let document = &mut self.document;
        let change = match request {
            EditRequest::Apply { label, gesture, ops } => document.apply(&label, gesture.as_deref(), &ops)?,
            EditRequest::Undo => document.undo().ok_or(Refusal::Nothing("undo"))?,
            EditRequest::Redo => document.redo().ok_or(Refusal::Nothing("redo"))?,
            // The page has what is saved: it asks for the bytes.
            EditRequest::Save | EditRequest::Overwrite => {
                document.set_saved();
                self.saved = self.bytes();
                return Ok(self.state(&[]));
            }
            EditRequest::Discard => {
                // It was read before.
                self.document.discard(&self.name, &self.saved)?;
                return Ok(self.state(&[]));
            }
            EditRequest::Merge => return Err(Refusal::NoOther),
        };
        Ok(self.state(&[change]))
    }

    /// Returns what `check` finds without the folder of the file, and without Python, which reads scripts.
    fn findings(&self) -> Vec<EditFinding> {
        let file = self.document.file();
        let context = Context { body: Some(self.body), ..Context::default() };
        let found = boxstep_check::check(file, &context).behavior;
        found.iter().map(|finding| EditFinding::of(finding, file)).collect()
    }
}

/// Serializes an answer. This cannot fail here, because all map keys are strings.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
