//! Vision: marks, colors, light, objects and places. The simulation sees nothing; the events come from outside.
//!
//! Source: the NAOqi Vision pages of the NAOqi documentation.

use crate::table::{Const, Service, accepts, acts, answers, gets, known, nao6, robot, service, sets, unknown};
const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[
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
            accepts("setColor", "Colour it looks for: red, green, blue, tolerance", unknown("(mmmm)m")),
            accepts("setObjectProperties", "Size of what it looks for", unknown("(mm)m (mmm)m")),
            answers("getCircle", "Circle around the patch", unknown("()m"), Const::Empty),
            answers("getColor", "Colour it looks for", unknown("()m"), Const::Empty),
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
            acts(
                "startTracker",
                "Starts",
                unknown("()m"),
                "track",
                "tracking (nothing is seen in the simulation)",
                Const::Null,
            ),
            acts("stopTracker", "Stops", unknown("()m"), "track", "tracks no more", Const::Null),
            sets("setWholeBodyOn", "With the whole body", unknown("(m)m"), "wholeBody"),
            answers("getPosition", "Where the face is", unknown("()m"), Const::Empty),
            answers("isActive", "Whether it follows", unknown("()m"), NO),
            answers("isNewData", "Whether it has seen something new", unknown("()m"), NO),
        ],
    ),
    service(
        "ALRedBallTracker",
        "Follows a red ball; old",
        &[
            acts(
                "startTracker",
                "Starts",
                robot("()v"),
                "track",
                "tracking (nothing is seen in the simulation)",
                Const::Null,
            ),
            acts("stopTracker", "Stops", robot("()v"), "track", "tracks no more", Const::Null),
            sets("setWholeBodyOn", "With the whole body", robot("(b)v"), "wholeBody"),
            answers("getPosition", "Where the ball is", unknown("()m"), Const::Empty),
            answers("isActive", "Whether it follows", unknown("()m"), NO),
            answers("isNewData", "Whether it has seen something new", unknown("()m"), NO),
        ],
    ),
    service(
        "ALLocalization",
        "Finds its way home by what the camera sees",
        &[
            answers("clear", "Forgets a place", unknown("(m)m"), Const::Int(0)),
            answers("getCurrentPanoramaDescriptor", "What it sees around it", unknown("()m"), Const::Empty),
            answers("getRobotOrientation", "Its direction, as it was learned", unknown("()m (m)m"), Const::Empty),
            answers("getRobotPosition", "Its place, as it was learned", unknown("()m (m)m"), Const::Empty),
            answers("isDataAvailable", "Whether a place is learned", unknown("()m"), NO),
            answers("isInCurrentHome", "Whether it is home", unknown("()m"), Const::Empty),
            answers("load", "Reads a place", unknown("(m)m"), Const::Int(1)),
            answers("save", "Keeps a place", unknown("(m)m"), Const::Int(1)),
            acts("goToHome", "Goes home", unknown("()m (m)m"), "move", "go home (no home was learnt)", Const::Int(1)),
            acts(
                "learnHome",
                "Learns where it stands",
                unknown("()m"),
                "move",
                "learn home (nothing is seen)",
                Const::Int(1),
            ),
            accepts("stopAll", "Ends what it does", unknown("()m")),
        ],
    ),
    service(
        "ALWorldRepresentation",
        "Things in the world",
        &[
            known("storeObject", "Remembers a thing", robot("(ss[f]sm)i (mmmmmm)i")),
            answers("getObjectNames", "Things", robot("()[s]"), Const::Empty),
            known("getPosition", "Where a thing is", robot("(ss)m")),
            known("removeObject", "Forgets a thing", unknown("(m)m")),
            answers("addAttributeToCategory", "Gives a category an attribute", unknown("(mmm)m"), Const::Int(0)),
            answers("clearObject", "Forgets where a thing was", unknown("(m)m"), Const::Int(0)),
            answers("clearOldPositions", "Forgets old positions", unknown("(mm)m"), Const::Int(0)),
            answers("createObjectCategory", "Makes a category", unknown("(mm)m"), Const::Int(0)),
            answers("findObject", "Whether there is a thing", unknown("(m)m"), NO),
            answers("getChildrenNames", "Things on a thing", unknown("(m)m"), Const::Empty),
            answers("getObjectsInCategory", "Things of a category", unknown("(m)m"), Const::Empty),
            answers("getObjectsOfCategory", "Things of a category", unknown("(m)m"), Const::Empty),
            answers("getRootNames", "Things that lie on nothing", unknown("()m"), Const::Empty),
            answers("load", "Reads things", unknown("()m (m)m"), NO),
            answers("objectCategoryExists", "Whether there is a category", unknown("(m)m"), NO),
            answers("removeObjectCategory", "Removes a category", unknown("(m)m"), Const::Int(0)),
            answers("save", "Keeps things", unknown("()m (m)m"), NO),
        ],
    ),
    service("ALMovementRecorder", "Records movement", &[]),
];
