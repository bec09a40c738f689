//! `ALPhotoCapture` and `ALVideoRecorder`.
//!
//! Source: the pages ALPhotoCapture and ALVideoRecorder API of the NAOqi documentation.

use crate::args::Args;
use crate::capture::{is_recording, start_recording, start_recording_in, stop_video};
use crate::table::{Call, Const, Reply, Service, answers, bad, described, gets, ok, runs, service, sets, unknown};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

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
    photograph(w, cx, call.args, 1, 0)
}

fn take_pictures(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    photograph(w, cx, call.args, call.args.int(0, "number")?, 1)
}

/// Takes pictures; `first` is the index of the folder among the arguments.
fn photograph(w: &mut World, cx: &mut ServiceCx<'_>, args: Args<'_>, count: i64, first: usize) -> Reply {
    if !(1..=MOST_PICTURES).contains(&count) {
        return bad(format!("argument 1 (number) must be from 1 to {MOST_PICTURES}, not {count}"));
    }
    let (folder, name) = (args.text(first, "folder")?, args.text(first + 1, "file name")?);
    let format = w.setting("ALPhotoCapture", "format").and_then(Value::as_str).unwrap_or("jpg").to_owned();
    let stem = name.strip_suffix(&format!(".{format}")).unwrap_or(name);
    let files: Vec<String> = (0..count)
        .map(|i| {
            let number = if count == 1 { String::new() } else { format!("_{i}") };
            format!("{}/{stem}{number}.{format}", folder.trim_end_matches('/'))
        })
        .collect();
    let text = format!("picture {} (no file is made in the simulation)", files.join(", "));
    let files = Value::from(files);
    cx.act("photo", text, Value::map([("files", files.clone())]));
    ok(files)
}
