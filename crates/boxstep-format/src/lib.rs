//! Reads Choregraphe files (`.xar`, `.pml`, behavior folders) into a checked [`model`].
//!
//! Two views, both with positions: the raw view keeps everything the file says, known or not; the
//! typed model is what the engine, the checker and the drawings work on.

pub mod model;
