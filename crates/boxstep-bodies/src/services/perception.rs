//! Seeing, hearing and touching.

use super::{ANY, Service, known, named, property, sim};

pub(super) static SERVICES: &[Service] = &[
    named(
        "ALFaceDetection",
        "Finds and knows faces",
        &[
            sim("learnFace", 1, 1, "Learns the face in view").described("(s)b"),
            sim("reLearnFace", 1, 1, "Learns it better"),
            sim("forgetPerson", 1, 1, "Forgets a face").described("(s)b"),
            sim("clearDatabase", 0, 0, "Forgets every face").described("()v"),
            sim("getLearnedFacesList", 0, 0, "Names of the faces").described("()[s]"),
            known("importFolder", 1, 1, "Learns from pictures"),
            known("learnFaceFromImage", 2, 2, "Learns from a picture"),
            sim("setRecognitionEnabled", 1, 1, "Knows faces or only finds them").described("(b)v"),
            sim("isRecognitionEnabled", 0, 0, "Whether it knows faces"),
            sim("setTrackingEnabled", 1, 1, "Keeps faces in sight").described("(b)v"),
            sim("isTrackingEnabled", 0, 0, "Whether it does"),
            known("enableTracking", 1, 1, "Old name of setTrackingEnabled"),
            known("enableRecognition", 0, 1, "Old name of setRecognitionEnabled"),
            known("setRecognitionConfidenceThreshold", 1, 1, "How sure it must be"),
            known("getRecognitionConfidenceThreshold", 0, 0, "How sure it must be"),
            known("setActiveCamera", 1, 1, "Camera"),
            known("getActiveCamera", 0, 0, "Camera"),
            known("setFrameRate", 1, 2, "Pictures a second"),
            known("setResolution", 1, 1, "Size of pictures"),
            known("setParameter", 2, 2, "Sets a parameter"),
        ],
    )
    .extractor(),
    named(
        "ALFaceCharacteristics",
        "Age, gender, smile of faces",
        &[
            sim("analyzeFaceCharacteristics", 1, 1, "Looks at a person's face"),
            known("getSmilingThreshold", 0, 0, "How sure a smile must be"),
            known("setSmilingThreshold", 1, 1, "How sure a smile must be"),
        ],
    )
    .extractor(),
    named(
        "ALPeoplePerception",
        "Finds people",
        &[
            known("resetPopulation", 0, 0, "Forgets everybody").robot("()v"),
            known("setMaximumDetectionRange", 1, 1, "How far, metres").robot("(f)v"),
            known("getMaximumDetectionRange", 0, 0, "How far, metres").robot("()f"),
            known("setTimeBeforePersonDisappears", 1, 1, "Seconds").robot("(f)v"),
            known("setTimeBeforeVisiblePersonDisappears", 1, 1, "Seconds").robot("(f)v"),
            known("setFaceDetectionEnabled", 1, 1, "Looks for faces").robot("(b)v"),
            known("setMovementDetectionEnabled", 1, 1, "Looks for movement").robot("(b)v"),
            known("setFastModeEnabled", 1, 1, "Faster, less sure").robot("(b)v"),
            known("setGraphicalDisplayEnabled", 1, 1, "Draws what it sees").robot("(b)v"),
        ],
    )
    .extractor(),
    named(
        "ALBasicAwareness",
        "Turns to people",
        &[
            sim("startAwareness", 0, 0, "Starts").described("()v"),
            sim("stopAwareness", 0, 0, "Stops").described("()v"),
            sim("pauseAwareness", 0, 0, "Pauses").nao6("()v"),
            sim("resumeAwareness", 0, 0, "Goes on").nao6("()v"),
            sim("isAwarenessRunning", 0, 0, "Whether it runs").described("()b"),
            known("isAwarenessPaused", 0, 0, "Whether it pauses").nao6("()b"),
            sim("isRunning", 0, 1, "Whether it runs").nao6("()b"),
            sim("isEnabled", 0, 0, "Whether it is on").described("()b"),
            sim("setEnabled", 1, 1, "On or off").described("(b)v"),
            sim("setEngagementMode", 1, 1, "Unengaged, FullyEngaged, SemiEngaged").described("(s)v"),
            sim("getEngagementMode", 0, 0, "Engagement mode").described("()s"),
            sim("setTrackingMode", 1, 1, "Head, BodyRotation, WholeBody, MoveContextually").described("(s)v"),
            sim("getTrackingMode", 0, 0, "Tracking mode").described("()s"),
            sim("setStimulusDetectionEnabled", 2, 2, "Which stimuli it notices").described("(sb)v"),
            sim("isStimulusDetectionEnabled", 1, 1, "Whether it notices a stimulus").nao6("(s)b"),
            sim("setParameter", 2, 2, "Sets a parameter").nao6("(sm)v"),
            sim("getParameter", 1, 1, "Value of a parameter").nao6("(s)m"),
            sim("resetAllParameters", 0, 0, "Usual parameters").nao6("()v"),
            sim("triggerStimulus", 1, 1, "Makes it notice a place"),
            sim("engagePerson", 1, 1, "Turns to a person").nao6("(i)b"),
        ],
    ),
    named(
        "ALEngagementZones",
        "How near people are",
        &[
            known("getFirstLimitDistance", 0, 0, "Metres").robot("()f"),
            known("getSecondLimitDistance", 0, 0, "Metres").robot("()f"),
            known("getLimitAngle", 0, 0, "Degrees").robot("()f"),
            known("setFirstLimitDistance", 1, 1, "Metres").robot("(f)v"),
            known("setSecondLimitDistance", 1, 1, "Metres").robot("(f)v"),
            known("setLimitAngle", 1, 1, "Degrees").robot("(f)v"),
            known("computeEngagementZone", 1, 4, "Zone of a point").robot("(fff)i (fffm)i"),
        ],
    )
    .extractor(),
    named(
        "ALGazeAnalysis",
        "Where people look",
        &[
            known("setTolerance", 1, 1, "How exactly").robot("(f)v"),
            known("getTolerance", 0, 0, "How exactly").robot("()f"),
        ],
    )
    .extractor(),
    named("ALSittingPeopleDetection", "Who sits", &[known("setSittingThreshold", 1, 1, "Metres").robot("(f)v")])
        .extractor(),
    named("ALWavingDetection", "Who waves", &[known("setMaxDistance", 1, 1, "Metres").robot("(f)v")]).extractor(),
    named("ALCloseObjectDetection", "Things that are near", &[]).extractor(),
    named(
        "ALMovementDetection",
        "What moves",
        &[
            known("setDepthSensitivity", 1, 1, "How sensitive").robot("(f)v"),
            known("setColorSensitivity", 1, 1, "How sensitive").robot("(f)v"),
        ],
    )
    .extractor(),
    named("ALMovementRecorder", "Records movement", &[]),
    named(
        "ALLandMarkDetection",
        "Finds printed marks",
        &[known("setParameter", 2, 2, "Sets a parameter"), known("setActiveCamera", 1, 1, "Camera")],
    )
    .extractor(),
    named("ALRedBallDetection", "Finds a red ball", &[known("setParameter", 2, 2, "Sets a parameter")]).extractor(),
    named(
        "ALRedBallTracker",
        "Follows a red ball; old",
        &[
            known("startTracker", 0, 0, "Starts").robot("()v"),
            known("stopTracker", 0, 0, "Stops").robot("()v"),
            known("setWholeBodyOn", 1, 1, "With the whole body").robot("(b)v"),
        ],
    ),
    named(
        "ALFaceTracker",
        "Follows a face; old",
        &[
            known("startTracker", 0, 0, "Starts"),
            known("stopTracker", 0, 0, "Stops"),
            known("setWholeBodyOn", 1, 1, "With the whole body"),
        ],
    ),
    named(
        "ALVisionRecognition",
        "Knows pictures",
        &[
            known("changeDatabase", 2, 2, "Which pictures").nao6("(ss)b"),
            known("learnFromFile", 3, 5, "Learns a picture").nao6("(ss[s]bb)b"),
            known("load", 1, 1, "Pictures of a file"),
            known("setMaxOutObjs", 1, 1, "How many at once").nao6("(i)v"),
            known("getParam", 1, 1, "Value of a parameter").nao6("(s)m"),
            known("setParam", 2, 2, "Sets a parameter").nao6("(sm)v"),
        ],
    )
    .extractor(),
    named(
        "ALBarcodeReader",
        "Reads codes",
        &[
            known("setResolution", 1, 1, "Size of pictures"),
            known("setFrameRate", 1, 1, "Pictures a second"),
            known("setActiveCamera", 1, 1, "Camera"),
        ],
    )
    .extractor(),
    named("ALDarknessDetection", "Dark or bright", &[known("setDarknessThreshold", 1, 1, "How dark")]).extractor(),
    named("ALBacklightingDetection", "Light from behind", &[]).extractor(),
    named(
        "ALSoundLocalization",
        "Where a sound comes from",
        &[
            sim("setParameter", 2, 2, "Sensitivity, EnergyComputation"),
            known("getParameter", 1, 1, "Value of a parameter"),
        ],
    )
    .extractor(),
    named(
        "ALSoundDetection",
        "Sounds",
        &[
            sim("setParameter", 2, 2, "Sensitivity").described("(sm)v"),
            known("getParameter", 1, 1, "Value of a parameter"),
        ],
    )
    .extractor(),
    named("ALVoiceEmotionAnalysis", "Feeling in a voice", &[known("setParameter", 2, 2, "Sets a parameter")])
        .extractor(),
    named(
        "ALMood",
        "Feelings of people",
        &[
            sim("getEmotionalReaction", 0, 1, "Reaction within seconds").nao6("()s"),
            known("currentPersonState", 0, 0, "Person in focus"),
            known("ambianceState", 0, 0, "Mood around"),
            known("persons", 0, 0, "Everybody").nao6("()[(i((ff)(ff)((ff))(ff)((ff)(ff)(ff)(ff)(ff)(ff)(ff))))]"),
            known("getPersonData", 1, 1, "One person"),
        ],
    )
    .extractor()
    .properties(&[
        property("valence", "s"),
        property("valenceLevel", "(ff)"),
        property("attention", "s"),
        property("attentionLevel", "(ff)"),
        property("attentionZone", "s"),
        property("ambiance", "s"),
        property("ambianceLevel", "f"),
    ]),
    named(
        "ALRobotMood",
        "Feelings that the robot shows",
        &[
            known("getState", 0, 0, "Pleasure and excitement, in words").nao6("()(ss)"),
            known("getFullState", 0, 0, "Both, with how sure it is").nao6("()((ff)(ff))"),
        ],
    )
    .properties(&[
        property("state", "(ss)"),
        property("fullState", "((ff)(ff))"),
        property("pleasure", "s"),
        property("excitement", "s"),
    ]),
    named(
        "ALVideoDevice",
        "Cameras",
        &[
            sim("subscribe", 4, 5, "Takes pictures; name of the subscription").robot("(siii)s"),
            sim("subscribeCamera", 5, 5, "Takes pictures of a camera").robot("(siiii)s"),
            sim("unsubscribe", 1, 1, "Ends it").robot("(s)b"),
            known("unsubscribeAllInstances", 1, 1, "Ends all of a name").robot("(s)v"),
            known("getSubscribers", 0, 0, "Subscriptions").robot("()m"),
            sim("getImageRemote", 1, 1, "Picture with its data").robot("(s)m"),
            known("getImageLocal", 1, 1, "Picture in the robot").robot("(s)X"),
            known("getDirectRawImageRemote", 1, 1, "Raw picture").robot("(s)m"),
            sim("releaseImage", 1, 1, "Gives a picture back").robot("(s)b"),
            sim("setActiveCamera", 1, 2, "Camera 0 top, 1 bottom").robot("(i)b (si)b"),
            sim("getActiveCamera", 0, 1, "Camera").robot("()i (s)i"),
            known("setParam", 2, 2, "Sets a camera parameter").robot("(ii)v"),
            known("getParam", 1, 1, "Value of a camera parameter").robot("(i)i"),
            known("setParameter", 3, 3, "Sets a parameter of a camera").robot("(iii)b"),
            known("setAllParametersToDefault", 1, 1, "Usual parameters").robot("(i)b"),
            known("setParamDefault", 1, 1, "Usual parameter").robot("(i)v"),
            known("getParameter", 2, 2, "Value of a parameter").robot("(ii)i"),
            known("getParameterRange", 2, 2, "Range of a parameter").robot("(ii)m"),
            known("setFrameRate", 2, 2, "Pictures a second").robot("(si)b"),
            known("getFrameRate", 1, 1, "Pictures a second").robot("(i)i (s)i"),
            known("setResolution", 2, 2, "Size of pictures").robot("(si)b"),
            known("getResolution", 1, 1, "Size of pictures").robot("(i)i (s)i"),
            known("setColorSpace", 2, 2, "Kind of picture").robot("(si)b"),
            known("getColorSpace", 1, 1, "Kind of picture").robot("(i)i (s)i"),
            known("openCamera", 1, 1, "Camera on").robot("(i)b"),
            known("closeCamera", 1, 1, "Camera off").robot("(i)b"),
            known("isCameraOpen", 1, 1, "Whether it is on").robot("(i)b"),
            known("startCamera", 1, 1, "Starts it").robot("(i)b"),
            known("stopCamera", 1, 1, "Stops it").robot("(i)b"),
            known("isCameraStarted", 1, 1, "Whether it runs").robot("(i)b"),
            known("hasDepthCamera", 0, 0, "Whether there is a depth camera").robot("()b"),
            known("getAngularPositionFromImagePosition", 2, 2, "Direction of a point").robot("(i[f])[f]"),
            known("getImagePositionFromAngularPosition", 2, 2, "Point of a direction").robot("(i[f])[f]"),
        ],
    ),
    named(
        "ALPhotoCapture",
        "Takes pictures",
        &[
            sim("takePicture", 2, 3, "Takes one picture: folder, name, overwrite").described("(ss)m"),
            sim("takePictures", 3, 4, "Takes several"),
            sim("setResolution", 1, 1, "Size").described("(i)v"),
            sim("getResolution", 0, 0, "Size"),
            sim("setCameraID", 1, 1, "Camera 0 top, 1 bottom").described("(i)v"),
            sim("getCameraID", 0, 0, "Camera"),
            known("setCamera", 1, 1, "Camera"),
            sim("setPictureFormat", 1, 1, "jpg, png …").described("(s)v"),
            sim("getPictureFormat", 0, 0, "Format"),
            known("setColorSpace", 1, 1, "Kind of picture"),
            known("getColorSpace", 0, 0, "Kind of picture"),
            known("setCaptureInterval", 1, 1, "Milliseconds between pictures"),
            known("getCaptureInterval", 0, 0, "Milliseconds between pictures"),
            known("setHalfPressEnabled", 1, 1, "Keeps the camera ready"),
            known("isHalfPressEnabled", 0, 0, "Whether it does"),
            known("halfPress", 0, 0, "Makes the camera ready"),
        ],
    ),
    named(
        "ALVideoRecorder",
        "Records video",
        &[
            known("startRecording", 2, 3, "Records: folder, name, overwrite").described("(ss)v"),
            known("stopRecording", 0, 0, "Ends it").described("()m"),
            known("isRecording", 0, 0, "Whether it records"),
            known("setResolution", 1, 1, "Size"),
            known("setCameraID", 1, 1, "Camera"),
            known("setFrameRate", 1, 1, "Pictures a second"),
            known("setVideoFormat", 1, 1, "Format"),
            known("setColorSpace", 1, 1, "Kind of picture"),
        ],
    ),
    named("ALSonar", "Distance by sound", &[]).extractor(),
    named("ALLaser", "Distance by laser", &[known("laserON", 0, 0, "On"), known("laserOFF", 0, 0, "Off")]).extractor(),
    named(
        "ALInfrared",
        "Remote controls",
        &[known("initReception", 0, 1, "Starts to receive"), known("sendRC5", 1, ANY, "Sends a code")],
    )
    .extractor(),
    named(
        "ALTouch",
        "Touch of any sensor",
        &[
            known("getSensorList", 0, 0, "Every sensor").robot("()[s]"),
            known("getStatus", 0, 0, "What is touched").robot("()m"),
            known("createSensorGroup", 2, 2, "Makes a group"),
        ],
    ),
    named("ALSensors", "Sensors raise events", &[known("run", 0, 0, "Starts").robot("()v")]).extractor(),
    named("ALChestButton", "The chest button", &[]).extractor(),
    named(
        "ALBattery",
        "The battery",
        &[
            sim("getBatteryCharge", 0, 0, "Percent").robot("()i"),
            known("enablePowerMonitoring", 1, 1, "Reports or not").robot("(b)v"),
        ],
    ),
    named(
        "ALBodyTemperature",
        "Heat of joints",
        &[
            known("getTemperatureDiagnosis", 0, 0, "Hot joints").robot("()m"),
            known("setEnableNotifications", 1, 1, "Says when it is hot").robot("(b)v"),
            known("areNotificationsEnabled", 0, 0, "Whether it does").robot("()b"),
        ],
    ),
];
