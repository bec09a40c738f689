//! Cameras and microphones. No file is written and no picture is returned: scripts name paths on a robot, and the
//! simulation must not create files there on the machine that plays the behavior. The length of a sound recording is
//! stored, so that the robot can play it.
//!
//! Source: the pages ALPhotoCapture, ALVideoRecorder, ALVideoDevice, ALAudioDevice, ALAudioRecorder API of the NAOqi
//! documentation.

use crate::args::Args;
use crate::audio;
use crate::table::{
    Call, Const, Reply, Service, accepts, acts, answers, bad, described, done, failed, gets, known, ok, robot, runs,
    service, sets, unknown,
};
use crate::world::{World, readable};
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

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
        "ALVideoDevice",
        "Cameras",
        &[
            runs("subscribe", "Takes pictures; name of the subscription", robot("(siii)s (mmmmm)s"), subscribe_camera),
            runs("subscribeCamera", "Takes pictures of a camera", robot("(siiii)s"), subscribe_camera),
            runs("unsubscribe", "Ends it", robot("(s)b"), unsubscribe_camera),
            runs("unsubscribeAllInstances", "Ends all of a name", robot("(s)v"), unsubscribe_all_instances),
            runs("getSubscribers", "Subscriptions", robot("()m"), get_subscribers),
            answers("getImageRemote", "Picture with its data", robot("(s)m"), Const::Null),
            answers("getImageLocal", "Picture in the robot", robot("(s)X"), Const::Null),
            answers("getDirectRawImageRemote", "Raw picture", robot("(s)m"), Const::Null),
            answers("releaseImage", "Gives a picture back", robot("(s)b"), YES),
            runs("setActiveCamera", "Camera 0 top, 1 bottom", robot("(i)b (si)b"), set_active_camera),
            runs("getActiveCamera", "Camera", robot("()i (s)i"), get_active_camera),
            sets("setParam", "Sets a camera parameter", robot("(ii)v"), "parameter"),
            gets("getParam", "Value of a camera parameter", robot("(i)i"), "parameter", Const::Int(0)),
            sets("setParameter", "Sets a parameter of a camera", robot("(iii)b"), "parameter"),
            sets("setAllParametersToDefault", "Usual parameters", robot("(i)b"), "default"),
            sets("setParamDefault", "Usual parameter", robot("(i)v"), "parameterDefault"),
            gets("getParameter", "Value of a parameter", robot("(ii)i"), "parameter", Const::Int(0)),
            known("getParameterRange", "Range of a parameter", robot("(ii)m")),
            sets("setFrameRate", "Pictures a second", robot("(si)b"), "frameRate"),
            gets("getFrameRate", "Pictures a second", robot("(i)i (s)i"), "frameRate", Const::Int(15)),
            sets("setResolution", "Size of pictures", robot("(si)b"), "resolution"),
            gets("getResolution", "Size of pictures", robot("(i)i (s)i"), "resolution", Const::Int(1)),
            sets("setColorSpace", "Kind of picture", robot("(si)b"), "colorSpace"),
            gets("getColorSpace", "Kind of picture", robot("(i)i (s)i"), "colorSpace", Const::Int(0)),
            answers("openCamera", "Camera on", robot("(i)b"), YES),
            answers("closeCamera", "Camera off", robot("(i)b"), YES),
            answers("isCameraOpen", "Whether it is on", robot("(i)b"), YES),
            answers("startCamera", "Starts it", robot("(i)b"), YES),
            answers("stopCamera", "Stops it", robot("(i)b"), YES),
            answers("isCameraStarted", "Whether it runs", robot("(i)b"), YES),
            answers("hasDepthCamera", "Whether there is a depth camera", robot("()b"), NO),
            known("getAngularPositionFromImagePosition", "Direction of a point", robot("(i[f])[f]")),
            known("getImagePositionFromAngularPosition", "Point of a direction", robot("(i[f])[f]")),
            runs("subscribeCameras", "Subscribes to several cameras; its name", unknown("(mmmmm)m"), subscribe_camera),
            sets("setParameterToDefault", "Usual value of a parameter", unknown("(mm)b"), "parameterDefault"),
            answers("getDirectRawImageLocal", "Picture, not processed", unknown("(m)m"), Const::Null),
            answers("getImagesRemote", "Pictures of several cameras", unknown("(m)m"), Const::Null),
            answers("getCameraIndexes", "Numbers of the cameras", unknown("()m"), Const::Empty),
            answers("getCameraModel", "Model of a camera", unknown("(m)m"), Const::Int(0)),
            answers("getHorizontalFOV", "Field of view, radians", unknown("(m)m"), Const::Float(0.993)),
            answers("getVerticalFOV", "Field of view, radians", unknown("(m)m"), Const::Float(0.772)),
            answers("releaseImages", "Lets pictures go", unknown("(m)m"), YES),
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
    service(
        "ALAudioRecorder",
        "Records sound",
        &[
            runs(
                "startMicrophonesRecording",
                "Records: file, type, rate, channels",
                described("(ssim)v (m)v (mm)v (mmm)v"),
                start_recording,
            ),
            runs("stopMicrophonesRecording", "Ends recording", described("()v"), stop_recording),
            acts("startPlaying", "Plays a recording", unknown("(m)m"), "sound", "playing", Const::Null),
        ],
    ),
    service(
        "ALAudioDevice",
        "Loudspeakers and microphones",
        &[
            runs("setOutputVolume", "Loudness, 0…100", described("(i)v"), set_output_volume),
            gets("getOutputVolume", "Loudness, 0…100", described("()i"), "volume", Const::Int(50)),
            sets("muteAudioOut", "Silent or not", described("(b)v"), "muted"),
            gets("isAudioOutMuted", "Whether it is silent", unknown("()m"), "muted", NO),
            runs(
                "startMicrophonesRecording",
                "Records to a file",
                unknown("(m)m (mm)m (mmm)m (mmmm)m"),
                start_recording,
            ),
            runs("stopMicrophonesRecording", "Ends recording", unknown("()m"), stop_recording),
            answers("isInputClosed", "Whether the microphones are off", unknown("()m"), NO),
            answers("isOutputClosed", "Whether the loudspeakers are off", unknown("()m"), NO),
            accepts("openAudioInputs", "Microphones on", unknown("()m")),
            accepts("closeAudioInputs", "Microphones off", unknown("()m")),
            accepts("openAudioOutputs", "Loudspeakers on", unknown("()m")),
            accepts("closeAudioOutputs", "Loudspeakers off", unknown("()m")),
            accepts("enableEnergyComputation", "Measures loudness", unknown("()m")),
            accepts("disableEnergyComputation", "Ends it", unknown("()m")),
            answers("getFrontMicEnergy", "Loudness at the front", unknown("()m"), Const::Float(0.0)),
            answers("getRearMicEnergy", "Loudness at the back", unknown("()m"), Const::Float(0.0)),
            answers("getLeftMicEnergy", "Loudness at the left", unknown("()m"), Const::Float(0.0)),
            answers("getRightMicEnergy", "Loudness at the right", unknown("()m"), Const::Float(0.0)),
            accepts("flushAudioOutputs", "Drops what waits", unknown("()m")),
            sets("setParameter", "Sets a parameter", unknown("(mm)m"), "parameter"),
            gets("getParameter", "Value of a parameter", unknown("(m)m"), "parameter", Const::Int(0)),
            accepts("setClientPreferences", "How a subscriber gets sound", unknown("(mmmm)m")),
            accepts("subscribe", "Sends sound to a module", unknown("(m)m (mm)m (mmm)m")),
            accepts("unsubscribe", "Ends it", unknown("(m)m")),
            accepts("sendRemoteBufferToOutput", "Plays samples", unknown("(mm)m")),
            accepts("sendLocalBufferToOutput", "Plays samples", unknown("(mm)m")),
            accepts("setFileAsInput", "Takes a file for the microphones", unknown("(m)m")),
            runs("playSine", "Plays a tone", unknown("(mmmm)m"), audio::play_sine),
            accepts("disableEcho", "No echo", unknown("()m")),
        ],
    ),
    service(
        "ALVolumeSlider",
        "Loudness by steps",
        &[
            runs("increaseVolume", "Louder", unknown("()m"), increase_volume),
            runs("decreaseVolume", "Less loud", unknown("()m"), decrease_volume),
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

/// The most clients of a camera.
const MOST_CLIENTS: usize = 32;

const ACTIVE_CAMERA: &str = "ALVideoDevice/active";
const CLIENTS: &str = "ALVideoDevice/clients";

fn get_active_camera(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.settings.get(ACTIVE_CAMERA).cloned().unwrap_or(Value::Int(0)))
}

/// The client's name may precede the camera.
fn set_active_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.settings.insert(ACTIVE_CAMERA.into(), call.args.int(call.args.len() - 1, "camera")?.into());
    ok(true)
}

fn clients(w: &World) -> Vec<Value> {
    w.settings.get(CLIENTS).and_then(Value::as_list).map(<[Value]>::to_vec).unwrap_or_default()
}

fn set_clients(w: &mut World, clients: Vec<Value>) {
    w.settings.insert(CLIENTS.into(), Value::List(clients.into()));
}

fn subscribe_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let mut clients = clients(w);
    if clients.len() >= MOST_CLIENTS {
        return failed(format!("the camera has {MOST_CLIENTS} clients; unsubscribe some"));
    }
    let is_new = |id: &String| !clients.iter().any(|c| c.as_str() == Some(id));
    let id = (0..=MOST_CLIENTS).map(|i| format!("{name}_{i}")).find(is_new).unwrap_or_default();
    clients.push(id.as_str().into());
    set_clients(w, clients);
    ok(id)
}

fn unsubscribe_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let mut clients = clients(w);
    let before = clients.len();
    clients.retain(|c| c.as_str() != Some(name));
    let is_less = clients.len() < before;
    set_clients(w, clients);
    ok(is_less)
}

fn unsubscribe_all_instances(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let prefix = format!("{}_", call.args.text(0, "name")?);
    let mut clients = clients(w);
    clients.retain(|c| !c.as_str().is_some_and(|c| c.starts_with(&prefix)));
    set_clients(w, clients);
    done()
}

fn get_subscribers(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::List(clients(w).into()))
}

fn start_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = call.args.text(0, "file name")?.to_owned();
    begin_recording(w, cx, call, file)
}

fn start_recording_in(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = format!("{}/{}", call.args.text(0, "folder")?, call.args.text(1, "file name")?);
    begin_recording(w, cx, call, file)
}

fn begin_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, file: String) -> Reply {
    let service = call.service.name;
    if w.audio.recording.contains_key(service) {
        return failed("a recording is already going on");
    }
    cx.act(
        "record",
        format!("{file} begins (no file is made in the simulation)"),
        Value::map([("file", Value::from(file.as_str()))]),
    );
    w.audio.recording.insert(service, (file, cx.now()));
    done()
}

fn stop_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if let Some((file, seconds)) = end_recording(w, cx, call) {
        w.audio.recorded(&file, seconds);
    }
    done()
}

/// Answers the number of frames and the file; an empty list if nothing was recorded.
fn stop_video(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let recorded = end_recording(w, cx, call);
    ok(recorded.map_or(Value::list([]), |(file, _)| Value::list([Value::Int(0), Value::from(file)])))
}

/// Ends a recording; returns the file name and the length in seconds.
fn end_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Option<(String, f64)> {
    let (file, since) = w.audio.recording.remove(call.service.name)?;
    let seconds = (cx.now() - since).as_secs_f64();
    let data = [("file", Value::from(file.as_str())), ("seconds", Value::Float(seconds))];
    cx.act("record", format!("{file} ends after {}", readable(seconds)), Value::map(data));
    Some((file, seconds))
}

fn is_recording(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.audio.recording.contains_key(call.service.name))
}

fn set_output_volume(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let volume = call.args.int(0, "volume")?;
    if !(0..=100).contains(&volume) {
        return bad(format!("argument 1 (volume) must be from 0 to 100, not {volume}"));
    }
    w.settings.insert("ALAudioDevice/volume".into(), volume.into());
    cx.act("sound", format!("volume {volume} %"), Value::map([("volume", Value::Int(volume))]));
    done()
}

/// The change of a press of the volume keys, in percent.
const VOLUME_STEP: i64 = 10;

fn increase_volume(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    change_volume(w, cx, VOLUME_STEP)
}

fn decrease_volume(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    change_volume(w, cx, -VOLUME_STEP)
}

fn change_volume(w: &mut World, cx: &mut ServiceCx<'_>, step: i64) -> Reply {
    let before = w.setting("ALAudioDevice", "volume").and_then(Value::as_i64).unwrap_or(50);
    let volume = (before + step).clamp(0, 100);
    w.settings.insert("ALAudioDevice/volume".into(), volume.into());
    cx.act("sound", format!("volume {volume} %"), Value::map([("volume", Value::Int(volume))]));
    done()
}
