//! Vision: marks, colors, light and objects. What the simulation sees of a described world is in `senses.rs`; other
//! events come from outside.
//!
//! Source: the NAOqi Vision pages of the NAOqi documentation.

use crate::senses::{blob, floats};
use crate::table::{
    Call, Const, Reply, Service, accepts, answers, described, done, gets, known, nao6, ok, robot, runs, service, sets,
    unknown,
};
use crate::tracker;
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALVisionToolbox",
        "Pictures and films with NAOqi 1, gone with NAOqi 2",
        &[
            known("backlighting", "Whether there is light from behind", described("()i")),
            known("isItDark", "0 (outdoors) to 255 (dark)", described("()i")),
            known("setWhiteBalance", "Takes the hands as white", described("(i)v")),
            known("halfPress", "Prepares to take pictures", described("()v")),
            known("takePicture", "Takes three pictures", described("()v")),
            known("takePictures", "Takes some pictures", described("(i)v")),
            known("takePictureRegularly", "Takes a picture again and again", described("(fsbsi)v")),
            known("stopTPR", "Ends that", described("(ss)v")),
            known("startVideoRecord", "Films", described("(s)v")),
            known("startVideoRecord_adv", "Films", described("(sfsii)v")),
            known("stopVideoRecord", "Ends that: frames, file", described("()m")),
            known("isVideoRecording", "Whether it films", described("()b")),
        ],
    ),
    service("ALBacklightingDetection", "Light from behind", &[])
        .events(&["BacklightingDetection/BacklightingDetected"])
        .camera(),
    service("ALBarcodeReader", "Reads codes", &[]).events(&["BarcodeReader/BarcodeDetected"]).camera(),
    service("ALCloseObjectDetection", "Things that are near", &[])
        .events(&["CloseObjectDetection/ObjectDetected"])
        .camera(),
    service(
        "ALColorBlobDetection",
        "Sees a patch of a colour",
        &[
            gets("getAutoExposure", "Whether the exposure is automatic", unknown("()m"), "autoExposure", YES),
            gets(
                "getAutoWhiteBalance",
                "Whether the white balance is automatic",
                unknown("()m"),
                "autoWhiteBalance",
                YES,
            ),
            sets("setAutoExposure", "Exposure automatic or not", unknown("(m)m"), "autoExposure"),
            sets("setAutoWhiteBalance", "White balance automatic or not", unknown("(m)m"), "autoWhiteBalance"),
            runs("setColor", "Colour it looks for: red, green, blue, tolerance", unknown("(mmmm)m"), set_color),
            accepts("setObjectProperties", "Size of what it looks for", unknown("(mm)m (mmm)m")),
            runs("getCircle", "Circle around the patch: across, down, radius", unknown("()m"), get_circle),
            gets("getColor", "Colour it looks for", unknown("()m"), "color", Const::Empty),
        ],
    )
    .events(&["ALTracker/ColorBlobDetected"])
    .camera(),
    service(
        "ALDarknessDetection",
        "Dark or bright",
        &[
            sets("setDarknessThreshold", "How dark", unknown("(m)m"), "threshold"),
            gets("getDarknessThreshold", "How dark is dark", unknown("()m"), "threshold", Const::Int(40)),
        ],
    )
    .events(&["DarknessDetection/DarknessDetected"])
    .camera(),
    service("ALLandMarkDetection", "Finds printed marks", &[]).events(&["LandmarkDetected"]).camera(),
    service(
        "ALMovementDetection",
        "What moves",
        &[
            sets("setDepthSensitivity", "How sensitive", robot("(f)v"), "depthSensitivity"),
            sets("setColorSensitivity", "How sensitive", robot("(f)v"), "colorSensitivity"),
            gets(
                "getDepthSensitivity",
                "Least change of depth",
                unknown("()m"),
                "depthSensitivity",
                Const::Float(0.02),
            ),
            gets(
                "getColorSensitivity",
                "Least change of colour",
                unknown("()m"),
                "colorSensitivity",
                Const::Float(0.8),
            ),
        ],
    )
    .events(&["MovementDetection/MovementDetected", "MovementDetection/MovementInfo", "MovementDetection/NoMovement"])
    .camera(),
    service("ALRedBallDetection", "Finds a red ball", &[]).events(&["redBallDetected"]).camera(),
    service("ALSegmentation3D", "Sees things by their depth", &[])
        .events(&["Segmentation3D/SegmentationUpdated"])
        .camera(),
    service(
        "ALVisionRecognition",
        "Knows pictures",
        &[
            answers("changeDatabase", "Which pictures", nao6("(ss)b"), YES),
            answers("learnFromFile", "Learns a picture", nao6("(ss[s]bb)b (mmm)b (mmmm)b"), NO),
            answers("load", "Pictures of a file", unknown("(m)m (mm)m"), NO),
            sets("setMaxOutObjs", "How many at once", nao6("(i)v"), "objects"),
            gets("getParam", "Value of a parameter", nao6("(s)m"), "parameter", Const::Null),
            sets("setParam", "Sets a parameter", nao6("(sm)v"), "parameter"),
            answers("detectFromFile", "Looks for pictures in a file", unknown("(m)m"), Const::Empty),
            answers("getSize", "How many pictures it knows", unknown("()m"), Const::Int(0)),
            accepts("clearCurrentDatabase", "Forgets every picture", unknown("()m")),
        ],
    )
    .events(&["PictureDetected"])
    .camera(),
    service("ALVisualCompass", "Turns by what the camera sees", &[])
        .events(&["VisualCompass/Match", "VisualCompass/InvalidReference", "VisualCompass/Deviation"])
        .extractor(),
    service("ALVisualSpaceHistory", "Where the camera has looked", &[])
        .events(&["VisualSpaceHistory/VisualGridMapUpdated"])
        .extractor(),
    service(
        "ALFaceTracker",
        "Follows a face; old",
        &[
            runs("startTracker", "Starts", unknown("()m"), start_tracker),
            runs("stopTracker", "Stops", unknown("()m"), stop_tracker),
            sets("setWholeBodyOn", "With the whole body", unknown("(m)m"), "wholeBody"),
            runs("getPosition", "Where it is, from the torso", unknown("()m"), get_target_position),
            runs("isActive", "Whether it follows", unknown("()m"), is_tracker_active),
            runs("isNewData", "Whether it has seen something new", unknown("()m"), is_new_data),
        ],
    ),
    service(
        "ALRedBallTracker",
        "Follows a red ball; old",
        &[
            runs("startTracker", "Starts", robot("()v"), start_tracker),
            runs("stopTracker", "Stops", robot("()v"), stop_tracker),
            sets("setWholeBodyOn", "With the whole body", robot("(b)v"), "wholeBody"),
            runs("getPosition", "Where it is, from the torso", unknown("()m"), get_target_position),
            runs("isActive", "Whether it follows", unknown("()m"), is_tracker_active),
            runs("isNewData", "Whether it has seen something new", unknown("()m"), is_new_data),
        ],
    ),
    service("ALMovementRecorder", "Records movement", &[]),
];

/// Follows the face or the red ball, as the name of the service says.
fn start_tracker(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = if call.service.name == "ALFaceTracker" { "Face" } else { "RedBall" };
    tracker::follow(w, cx, name)
}

fn stop_tracker(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    tracker::stop(w, cx);
    done()
}

fn get_target_position(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(tracker::position(w, cx.now(), 0))
}

fn is_tracker_active(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.is_active())
}

fn is_new_data(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.tracker.sight.take_news())
}

fn set_color(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let parts = [0, 1, 2, 3].map(|i| call.args.int(i, "part of the colour").map(Value::Int));
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    w.settings.insert("ALColorBlobDetection/color".into(), Value::list(parts));
    done()
}

/// Answers the circle around the nearest ball of the colour, in parts of the picture; nothing if there is none.
fn get_circle(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(blob(w, cx.now()).map_or_else(|| Value::list([]), floats))
}
