//! Services that watch and listen. Nothing is around the simulated robot: their events come from
//! outside, and their questions are answered for an empty room.
//!
//! Pages: NAOqi People Perception, Vision and Audio of the NAOqi documentation.

use crate::sim::table::{
    Call, Const, Method, Reply, Service, act, code, done, extractor, failed, get, ok, put, quiet, say, service, try_put,
};
use crate::sim::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);
const ZERO: Const = Const::Float(0.0);

const FACES: &[Method] = &[
    code("clearDatabase", 0, 0),
    code("forgetPerson", 1, 1),
    code("getLearnedFacesList", 0, 0),
    code("learnFace", 1, 1),
    code("reLearnFace", 1, 1),
    get("getRecognitionConfidenceThreshold", "confidence", 0, Const::Float(0.5)),
    get("isRecognitionEnabled", "recognition", 0, YES),
    get("isTrackingEnabled", "tracking", 0, YES),
    get("getActiveCamera", "camera", 0, Const::Int(0)),
    get("getResolution", "resolution", 0, Const::Int(1)),
    get("getFrameRate", "frameRate", 0, Const::Int(20)),
    code("enableRecognition", 0, 1),
    try_put("enableTracking", "tracking", 1),
    try_put("setActiveCamera", "camera", 1),
    code("setFrameRate", 1, 2),
    put("setRecognitionConfidenceThreshold", "confidence", 1),
    try_put("setRecognitionEnabled", "recognition", 1),
    try_put("setResolution", "resolution", 1),
    try_put("setTrackingEnabled", "tracking", 1),
    quiet("importOldDatabase", 0, 0),
    quiet("savePersonsToDisk", 0, 0),
    say("importFolder", 1, 1, NO),
    say("learnFaceFromImage", 2, 2, NO),
    say("isFaceLearned", 1, 1, NO),
];

/// Methods of detectors that look through a camera.
const CAMERA: &[Method] = &[
    get("getActiveCamera", "camera", 0, Const::Int(0)),
    get("getFrameRate", "frameRate", 0, Const::Int(20)),
    get("getResolution", "resolution", 0, Const::Int(1)),
    get("getDepthSensitivity", "depthSensitivity", 0, Const::Float(0.02)),
    get("getColorSensitivity", "colorSensitivity", 0, Const::Float(0.8)),
    get("getDarknessThreshold", "threshold", 0, Const::Int(40)),
    get("getBacklightingThreshold", "threshold", 0, Const::Float(0.5)),
    get("getDarknessValue", "darkness", 0, Const::Int(0)),
    try_put("setActiveCamera", "camera", 1),
    try_put("setFrameRate", "frameRate", 1),
    try_put("setResolution", "resolution", 1),
    put("setDepthSensitivity", "depthSensitivity", 1),
    put("setColorSensitivity", "colorSensitivity", 1),
    put("setDarknessThreshold", "threshold", 1),
    put("setBacklightingThreshold", "threshold", 1),
];

const BLOBS: &[Method] = &[
    get("getActiveCamera", "camera", 0, Const::Int(0)),
    get("getAutoExposure", "autoExposure", 0, YES),
    get("getAutoWhiteBalance", "autoWhiteBalance", 0, YES),
    try_put("setActiveCamera", "camera", 1),
    put("setAutoExposure", "autoExposure", 1),
    put("setAutoWhiteBalance", "autoWhiteBalance", 1),
    try_put("setFrameRate", "frameRate", 1),
    try_put("setResolution", "resolution", 1),
    quiet("setColor", 4, 4),
    quiet("setObjectProperties", 2, 3),
    say("getCircle", 0, 0, Const::Empty),
    say("getColor", 0, 0, Const::Empty),
];

const PEOPLE: &[Method] = &[
    get("getMaximumDetectionRange", "maximumRange", 0, Const::Float(3.5)),
    get("getMaximumBodyHeight", "maximumHeight", 0, Const::Float(2.0)),
    get("getMinimumBodyHeight", "minimumHeight", 0, Const::Float(1.2)),
    get("getTimeBeforePersonDisappears", "disappears", 0, Const::Float(10.0)),
    get("getTimeBeforeVisiblePersonDisappears", "visibleDisappears", 0, Const::Float(3.0)),
    get("isFaceDetectionEnabled", "faces", 0, YES),
    get("isFastModeEnabled", "fast", 0, NO),
    get("isMovementDetectionEnabled", "movement", 0, YES),
    put("setFaceDetectionEnabled", "faces", 1),
    put("setFastModeEnabled", "fast", 1),
    put("setMaximumBodyHeight", "maximumHeight", 1),
    put("setMaximumDetectionRange", "maximumRange", 1),
    put("setMinimumBodyHeight", "minimumHeight", 1),
    put("setMovementDetectionEnabled", "movement", 1),
    put("setTimeBeforePersonDisappears", "disappears", 1),
    put("setTimeBeforeVisiblePersonDisappears", "visibleDisappears", 1),
    quiet("resetPopulation", 0, 0),
    quiet("setGraphicalDisplayEnabled", 1, 1),
];

const CHARACTERISTICS: &[Method] = &[
    get("getSmilingThreshold", "smiling", 0, Const::Float(0.8)),
    put("setSmilingThreshold", "smiling", 1),
    say("analyzeFaceCharacteristics", 1, 1, NO),
];

const ZONES: &[Method] = &[
    get("getFirstLimitDistance", "first", 0, Const::Float(1.5)),
    get("getLimitAngle", "angle", 0, Const::Float(90.0)),
    get("getSecondLimitDistance", "second", 0, Const::Float(2.5)),
    put("setFirstLimitDistance", "first", 1),
    put("setLimitAngle", "angle", 1),
    put("setSecondLimitDistance", "second", 1),
    say("computeEngagementZone", 1, 4, Const::Int(-1)),
];

const GAZE: &[Method] = &[
    get("getFaceAnalysisEnabled", "enabled", 0, YES),
    get("getTolerance", "tolerance", 0, Const::Float(1.0)),
    put("setFaceAnalysisEnabled", "enabled", 1),
    put("setTolerance", "tolerance", 1),
];

const MOOD: &[Method] = &[
    say("ambianceState", 0, 0, Const::Empty),
    say("currentPersonState", 0, 0, Const::Empty),
    say("getEmotionalReaction", 0, 1, Const::Str("neutral")),
    say("getPersonData", 1, 1, Const::Empty),
    say("persons", 0, 0, Const::Empty),
    say("personStateFromUserSession", 1, 1, Const::Empty),
];

const BARCODES: &[Method] = &[
    try_put("setActiveCamera", "camera", 1),
    try_put("setFrameRate", "frameRate", 1),
    try_put("setResolution", "resolution", 1),
    get("getActiveCamera", "camera", 0, Const::Int(0)),
    get("getFrameRate", "frameRate", 0, Const::Int(5)),
    get("getResolution", "resolution", 0, Const::Int(2)),
];

const RECOGNITION: &[Method] = &[
    say("changeDatabase", 2, 2, YES),
    say("detectFromFile", 1, 1, Const::Empty),
    say("getSize", 0, 0, Const::Int(0)),
    say("learnFromFile", 3, 5, NO),
    say("load", 1, 2, NO),
    quiet("clearCurrentDatabase", 0, 0),
    try_put("setMaxOutObjs", "objects", 1),
    put("setParam", "parameter", 2),
    get("getParam", "parameter", 1, Const::Null),
    try_put("setActiveCamera", "camera", 1),
    try_put("setFrameRate", "frameRate", 1),
    try_put("setResolution", "resolution", 1),
    get("getActiveCamera", "camera", 0, Const::Int(0)),
];

const WORLD: &[Method] = &[
    say("addAttributeToCategory", 3, 3, Const::Int(0)),
    say("clearObject", 1, 1, Const::Int(0)),
    say("clearOldPositions", 2, 2, Const::Int(0)),
    say("createObjectCategory", 2, 2, Const::Int(0)),
    say("findObject", 1, 1, NO),
    say("getChildrenNames", 1, 1, Const::Empty),
    say("getObjectNames", 0, 0, Const::Empty),
    say("getObjectsInCategory", 1, 1, Const::Empty),
    say("getObjectsOfCategory", 1, 1, Const::Empty),
    say("getRootNames", 0, 0, Const::Empty),
    say("load", 0, 1, NO),
    say("objectCategoryExists", 1, 1, NO),
    say("removeObjectCategory", 1, 1, Const::Int(0)),
    say("save", 0, 1, NO),
];

const EXPRESSION: &[Method] = &[code("add", 2, 3), say("getExpressions", 0, 0, Const::Empty), say("remove", 1, 1, YES)];

/// Trackers of NAOqi 1.x.
const OLD_TRACKER: &[Method] = &[
    act("startTracker", 0, 0, "track", "tracking (nothing is seen in the simulation)", Const::Null),
    act("stopTracker", 0, 0, "track", "tracks no more", Const::Null),
    put("setWholeBodyOn", "wholeBody", 1),
    say("getPosition", 0, 0, Const::Empty),
    say("isActive", 0, 0, NO),
    say("isNewData", 0, 0, NO),
];

const LOCALIZATION: &[Method] = &[
    say("clear", 1, 1, Const::Int(0)),
    say("getCurrentPanoramaDescriptor", 0, 0, Const::Empty),
    say("getRobotOrientation", 0, 1, Const::Empty),
    say("getRobotPosition", 0, 1, Const::Empty),
    say("isDataAvailable", 0, 0, NO),
    say("isInCurrentHome", 0, 0, Const::Empty),
    say("load", 1, 1, Const::Int(1)),
    say("save", 1, 1, Const::Int(1)),
    act("goToHome", 0, 1, "move", "go home (no home was learnt)", Const::Int(1)),
    act("learnHome", 0, 0, "move", "learn home (nothing is seen)", Const::Int(1)),
    quiet("stopAll", 0, 0),
];

const SONAR: &[&str] = &[
    "SonarLeftDetected",
    "SonarRightDetected",
    "SonarLeftNothingDetected",
    "SonarRightNothingDetected",
    "SonarMiddleDetected",
];

pub(crate) static SERVICES: &[Service] = &[
    Service { code: faces, ..extractor("ALFaceDetection", &["FaceDetected", "ALFaceDetection/TrackedFaceID"], FACES) },
    extractor("ALBacklightingDetection", &["BacklightingDetection/BacklightingDetected"], CAMERA),
    extractor("ALBarcodeReader", &["BarcodeReader/BarcodeDetected"], BARCODES),
    extractor("ALCloseObjectDetection", &["CloseObjectDetection/ObjectDetected"], CAMERA),
    extractor("ALColorBlobDetection", &["ALTracker/ColorBlobDetected"], BLOBS),
    extractor("ALDarknessDetection", &["DarknessDetection/DarknessDetected"], CAMERA),
    extractor(
        "ALEngagementZones",
        &[
            "EngagementZones/FirstLimitDistanceUpdated",
            "EngagementZones/LimitAngleUpdated",
            "EngagementZones/MovementsInZonesUpdated",
            "EngagementZones/PeopleInZonesUpdated",
            "EngagementZones/PersonApproached",
            "EngagementZones/PersonEnteredZone1",
            "EngagementZones/PersonEnteredZone2",
            "EngagementZones/PersonEnteredZone3",
            "EngagementZones/PersonMovedAway",
            "EngagementZones/SecondLimitDistanceUpdated",
        ],
        ZONES,
    ),
    extractor("ALFaceCharacteristics", &["FaceCharacteristics/PersonSmiling"], CHARACTERISTICS),
    extractor(
        "ALGazeAnalysis",
        &[
            "GazeAnalysis/PeopleLookingAtRobot",
            "GazeAnalysis/PersonStartsLookingAtRobot",
            "GazeAnalysis/PersonStopsLookingAtRobot",
        ],
        GAZE,
    ),
    extractor("ALLandMarkDetection", &["LandmarkDetected"], CAMERA),
    extractor(
        "ALMovementDetection",
        &["MovementDetection/MovementDetected", "MovementDetection/MovementInfo", "MovementDetection/NoMovement"],
        CAMERA,
    ),
    extractor(
        "ALPeoplePerception",
        &[
            "PeoplePerception/JustArrived",
            "PeoplePerception/JustLeft",
            "PeoplePerception/MaximumDetectionRangeUpdated",
            "PeoplePerception/NonVisiblePeopleList",
            "PeoplePerception/PeopleDetected",
            "PeoplePerception/PeopleList",
            "PeoplePerception/PopulationUpdated",
            "PeoplePerception/VisiblePeopleList",
        ],
        PEOPLE,
    ),
    extractor("ALRedBallDetection", &["redBallDetected"], CAMERA),
    extractor("ALSegmentation3D", &["Segmentation3D/SegmentationUpdated"], CAMERA),
    extractor(
        "ALSittingPeopleDetection",
        &["SittingPeopleDetection/PersonSittingDown", "SittingPeopleDetection/PersonStandingUp"],
        &[put("setSittingThreshold", "threshold", 1), get("getSittingThreshold", "threshold", 0, Const::Float(1.35))],
    ),
    extractor("ALSonar", SONAR, &[]),
    extractor("ALSoundDetection", &["SoundDetected"], &[]),
    extractor("ALSoundLocalization", &["ALSoundLocalization/SoundLocated", "ALSoundLocalization/SoundsLocated"], &[]),
    extractor("ALVisionRecognition", &["PictureDetected"], RECOGNITION),
    extractor(
        "ALVisualCompass",
        &["VisualCompass/Match", "VisualCompass/InvalidReference", "VisualCompass/Deviation"],
        &[],
    ),
    extractor("ALVisualSpaceHistory", &["VisualSpaceHistory/VisualGridMapUpdated"], &[]),
    extractor("ALVoiceEmotionAnalysis", &["ALVoiceEmotionAnalysis/EmotionRecognized"], &[]),
    extractor(
        "ALWavingDetection",
        &["WavingDetection/PersonWaving", "WavingDetection/Waving"],
        &[put("setMaxDistance", "distance", 1), get("getMaxDistance", "distance", 0, Const::Float(2.5))],
    ),
    Service { signals: &["ambianceChanged"], ..extractor("ALMood", &[], MOOD) },
    Service { code: expression, ..service("ALExpressionWatcher", EXPRESSION) },
    service("ALLocalization", LOCALIZATION),
    service("ALFaceTracker", OLD_TRACKER),
    service("ALRedBallTracker", OLD_TRACKER),
    service("ALWorldRepresentation", WORLD),
    extractor(
        "ALLaser",
        &[],
        &[
            quiet("laserOFF", 0, 0),
            quiet("laserON", 0, 0),
            quiet("setDetectingLength", 2, 2),
            quiet("setOpeningAngle", 2, 2),
        ],
    ),
    service(
        "ALTouch",
        &[
            say("createSensorGroup", 2, 2, YES),
            say("getStatus", 0, 0, Const::Empty),
            say("getSensorList", 0, 0, Const::Empty),
        ],
    ),
    extractor("ALSensors", &[], &[quiet("run", 0, 0)]),
    extractor(
        "ALChestButton",
        &[
            "ALChestButton/SimpleClickOccurred",
            "ALChestButton/DoubleClickOccurred",
            "ALChestButton/TripleClickOccurred",
        ],
        &[],
    ),
    service(
        "ALBodyTemperature",
        &[
            get("isTemperatureEmergencyEnabled", "emergency", 0, YES),
            put("setEnableNotifications", "notifications", 1),
            put("setTemperatureEmergencyEnabled", "emergency", 1),
            say("areNotificationsEnabled", 0, 0, NO),
            say("getTemperatureDiagnosis", 0, 0, Const::Empty),
        ],
    ),
    Service {
        code: battery,
        ..service(
            "ALBattery",
            &[
                put("enablePowerMonitoring", "monitoring", 1),
                code("getBatteryCharge", 0, 0),
                say("getTimeLeft", 0, 0, ZERO),
            ],
        )
    },
];

/// The charge is what memory says of it, where somebody may have put another.
fn battery(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let charge = w.memory.get("Device/SubDeviceList/Battery/Charge/Sensor/Value").and_then(Value::as_f64);
    ok(charge.map_or(100, |charge| (charge * 100.0).round() as i64))
}

/// Faces are known by the names they were learnt with; learning always succeeds.
fn faces(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    const KEY: &str = "ALFaceDetection/faces";
    let mut names: Vec<Value> = w.settings.get(KEY).and_then(Value::as_list).map(<[Value]>::to_vec).unwrap_or_default();
    let answer = match call.method {
        "enableRecognition" => {
            w.settings.insert("ALFaceDetection/recognition".into(), call.args.flag_or(0, "enabled", true)?.into());
            return done();
        }
        // The second form names the subscriber first.
        "setFrameRate" => {
            let rate = call.args.int(call.args.len() - 1, "frame rate")?;
            w.settings.insert("ALFaceDetection/frameRate".into(), rate.into());
            return ok(true);
        }
        "clearDatabase" => {
            names.clear();
            true
        }
        "getLearnedFacesList" => return ok(Value::List(names.into())),
        _ => {
            let name = call.args.text(0, "name")?;
            let known = names.iter().position(|n| n.as_str() == Some(name));
            match (call.method, known) {
                ("learnFace", None) => {
                    names.push(name.into());
                    cx.act("learn", format!("face of {name}"), Value::map([("face", Value::from(name))]));
                    true
                }
                ("reLearnFace", Some(_)) => {
                    cx.act("learn", format!("face of {name} again"), Value::map([("face", Value::from(name))]));
                    true
                }
                ("forgetPerson", Some(i)) => {
                    names.remove(i);
                    true
                }
                ("learnFace" | "reLearnFace" | "forgetPerson", _) => false,
                _ => return Err(ServiceError::NoMethod),
            }
        }
    };
    w.settings.insert(KEY.into(), Value::List(names.into()));
    ok(answer)
}

/// `add(condition, report mode)` gives an object with a `signal` on a robot; here nothing can come of it.
fn expression(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    match call.method {
        "add" => failed("expressions over memory are not watched in the simulation"),
        _ => done(),
    }
}
