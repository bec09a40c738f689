//! `ALPhotoCapture` and `ALVideoRecorder`.
//!
//! Source: the pages ALPhotoCapture and ALVideoRecorder API of the NAOqi documentation.

use crate::alarm::Alarm;
use crate::capture::{is_recording, start_recording, start_recording_in, stop_video};
use crate::picture::{encoded, size_of};
use crate::table::{
    Answer, Call, Const, Reply, Service, answers, bad, described, failed, gets, ok, runs, service, sets, unknown,
};
use crate::video;
use crate::world::{World, after};
use boxstep_engine::CallId;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;
use std::io::Read as _;
use std::path::Path;

const NO: Const = Const::Bool(false);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALPhotoCapture",
        "Takes pictures",
        &[
            runs("takePicture", "Takes one picture: folder, name, overwrite", described("(ss)m (mmm)m"), take_picture),
            runs("takePictures", "Takes several", unknown("(mmm)m (mmmm)m"), take_pictures),
            sets("setResolution", "Size", described("(i)v"), "resolution"),
            gets("getResolution", "Size", unknown("()m"), "resolution", Const::Int(1)),
            sets("setCameraID", "Camera 0 top, 1 bottom", described("(i)v"), "camera"),
            gets("getCameraID", "Camera", unknown("()m"), "camera", Const::Int(0)),
            sets("setCamera", "Camera", unknown("(m)m"), "camera"),
            sets("setPictureFormat", "jpg, png …", described("(s)v"), "format"),
            gets("getPictureFormat", "Format", unknown("()m"), "format", Const::Str("jpg")),
            sets("setColorSpace", "Kind of picture", unknown("(m)m"), "colorSpace"),
            gets("getColorSpace", "Kind of picture", unknown("()m"), "colorSpace", Const::Int(11)),
            sets("setCaptureInterval", "Milliseconds between pictures", unknown("(m)m"), "interval"),
            gets("getCaptureInterval", "Milliseconds between pictures", unknown("()m"), "interval", Const::Int(200)),
            sets("setHalfPressEnabled", "Keeps the camera ready", unknown("(m)m"), "halfPress"),
            gets("isHalfPressEnabled", "Whether it does", unknown("()m"), "halfPress", NO),
            answers("halfPress", "Makes the camera ready", unknown("()m"), NO),
            answers("isHalfPressed", "Whether the button is half pressed", unknown("()m"), NO),
        ],
    ),
    service(
        "ALVideoRecorder",
        "Records video",
        &[
            runs("startRecording", "Records: folder, name, overwrite", described("(ss)v (mmm)v"), start_recording_in),
            runs("stopRecording", "Ends it", described("()m"), stop_video),
            runs("isRecording", "Whether it records", unknown("()m"), is_recording),
            sets("setResolution", "Size", unknown("(m)m"), "resolution"),
            sets("setCameraID", "Camera", unknown("(m)m"), "camera"),
            sets("setFrameRate", "Pictures a second", unknown("(m)m"), "frameRate"),
            sets("setVideoFormat", "Format", unknown("(m)m"), "format"),
            sets("setColorSpace", "Kind of picture", unknown("(m)m"), "colorSpace"),
            runs("startVideoRecord", "Records to a file", unknown("(m)m (mm)m"), start_recording),
            runs("stopVideoRecord", "Ends recording; frames and file", unknown("()m"), stop_video),
            gets("getCameraID", "Camera", unknown("()m"), "camera", Const::Int(0)),
            gets("getFrameRate", "Pictures a second", unknown("()m"), "frameRate", Const::Int(15)),
            gets("getResolution", "Resolution", unknown("()m"), "resolution", Const::Int(1)),
            gets("getVideoFormat", "Format", unknown("()m"), "format", Const::Str("MJPG")),
        ],
    ),
];

/// The most pictures that one call takes.
const MOST_PICTURES: i64 = 1000;

fn take_picture(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    photograph(w, cx, call, 1, 0)
}

fn take_pictures(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    photograph(w, cx, call, call.args.int(0, "number")?, 1)
}

/// Takes pictures; `first` is the index of the folder among the arguments.
fn photograph(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, count: i64, first: usize) -> Reply {
    let args = call.args;
    if !(1..=MOST_PICTURES).contains(&count) {
        return bad(format!("argument 1 (number) must be from 1 to {MOST_PICTURES}, not {count}"));
    }
    let (folder, name) = (args.text(first, "folder")?, args.text(first + 1, "file name")?);
    let overwrites = args.flag_or(first + 2, "overwrite", true)?;
    let format = setting_text(w, "format", "jpg");
    let stem = name.strip_suffix(&format!(".{format}")).unwrap_or(name);
    let files: Vec<String> = (0..count)
        .map(|i| {
            let number = if count == 1 { String::new() } else { format!("_{i}") };
            format!("{}/{stem}{number}.{format}", folder.trim_end_matches('/'))
        })
        .collect();
    if let Some(file) = files.iter().find(|file| !overwrites && Path::new(file).exists()) {
        return failed(format!("{file} exists"));
    }
    next(w, cx, Photos { call: call.id, files, taken: 0 })
}

/// The pictures of a call.
#[derive(Clone, Debug)]
pub(crate) struct Photos {
    call: CallId,
    files: Vec<String>,
    taken: usize,
}

impl Photos {
    /// Returns whether a call waits for them.
    pub(crate) fn is_of(&self, call: CallId) -> bool {
        self.call == call
    }

    /// Returns the call that waits, and its answer when the robot is halted: the pictures that were taken.
    pub(crate) fn given_up(&self) -> (CallId, Value) {
        (self.call, Value::from(self.files.iter().take(self.taken).cloned().collect::<Vec<_>>()))
    }
}

/// Handles the alarm of the next picture.
pub(crate) fn due(w: &mut World, cx: &mut ServiceCx<'_>, photos: Photos) {
    let call = photos.call;
    match next(w, cx, photos) {
        Ok(Answer::Now(files)) => cx.complete(call, Ok(files)),
        Ok(Answer::Later) => {}
        Err(error) => cx.complete(call, Err(error)),
    }
}

/// Takes the next picture; the call answers when the last one is taken.
fn next(w: &mut World, cx: &mut ServiceCx<'_>, mut photos: Photos) -> Reply {
    let Some(file) = photos.files.get(photos.taken).cloned() else { return ok(photos.files) };
    let note = match save(w, cx, &file) {
        Ok(()) => "",
        Err(why) => &format!(" ({why})"),
    };
    cx.act("photo", format!("picture {file}{note}"), Value::map([("file", Value::from(file.as_str()))]));
    photos.taken += 1;
    if photos.taken == photos.files.len() {
        return ok(photos.files);
    }
    let interval = w.setting("ALPhotoCapture", "interval").and_then(Value::as_f64).unwrap_or(200.0);
    let at = after(cx.now(), interval / 1000.0);
    w.alarm(cx, at, Alarm::Photos(photos));
    Ok(Answer::Later)
}

/// Writes a picture to a folder that exists. Decision: paths such as `/home/nao` are those of a robot, so no folder is
/// made; and since clients of a served robot take pictures, too, no file is replaced but a picture.
fn save(w: &World, cx: &ServiceCx<'_>, file: &str) -> Result<(), String> {
    let path = Path::new(file);
    if !path.is_absolute() || !path.parent().is_some_and(Path::is_dir) {
        return Err("no file is made: its folder is not on this machine".to_owned());
    }
    if path.exists() && !is_picture(path) {
        return Err("no file is made: another one has its name, which is no picture".to_owned());
    }
    let number = |key: &str, usual: i64| w.setting("ALPhotoCapture", key).and_then(Value::as_i64).unwrap_or(usual);
    let size = size_of(number("resolution", 1)).ok_or("no file is made: there is no such resolution")?;
    let taken = video::photograph(w, cx.now(), number("camera", 0), size);
    let (mut picture, _) = taken.ok_or("no file is made: the camera is off")?;
    if number("colorSpace", 11) == 0 {
        picture.grey();
    }
    let bytes = encoded(&picture, &setting_text(w, "format", "jpg"));
    let bytes = bytes.ok_or("no file is made: the simulation does not write this format")?;
    bytes.and_then(|bytes| std::fs::write(path, bytes)).map_err(|e| format!("no file is made: {e}"))
}

/// How the files begin that are written here: JPEG, PNG, BMP and PPM.
const BEGINS: [&[u8]; 4] = [b"\xff\xd8\xff", b"\x89PNG", b"BM", b"P6\n"];

/// Returns whether a file begins as a picture does.
fn is_picture(path: &Path) -> bool {
    let mut begin = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && BEGINS.iter().any(|of| begin.starts_with(of))
}

fn setting_text(w: &World, key: &str, usual: &str) -> String {
    w.setting("ALPhotoCapture", key).and_then(Value::as_str).unwrap_or(usual).to_owned()
}
