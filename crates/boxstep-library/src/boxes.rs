//! The table of the boxes: file, name, icon, and what the box is for. The last three are what the file says, too.

use crate::LibraryBox;

macro_rules! boxes {
    ($(group $group:literal { $($file:literal $name:literal $icon:literal $about:literal;)+ })+) => {
        &[$($(LibraryBox {
            name: $name,
            group: $group,
            about: $about,
            xar: include_str!(concat!("../../../library/", $group, "/", $file, ".xar")),
            icon: include_str!(concat!("../../../library/icons/", $icon, ".svg")),
        },)+)+]
    };
}

pub(crate) const BOXES: &[LibraryBox] = boxes! {
    group "Speech" {
        "Say" "Say" "say"
            "Says a text and waits until it is said.";
        "SayText" "Say Text" "saytext"
            "Says the text that it gets and waits until it is said.";
        "AnimatedSay" "Animated Say" "animated_say"
            "Says a text with gestures and waits until it is said.";
        "AnimatedSayText" "Animated Say Text" "animated_say"
            "Says the text that it gets with gestures and waits until it is said.";
        "SetLanguage" "Set Language" "speech"
            "Sets the language that the robot speaks and understands.";
        "Volume" "Volume" "sound"
            "Sets how loud the robot speaks and plays sounds.";
        "WordChoice" "Word Choice" "reco_speech"
            "Listens for some words until it is stopped, and tells which it hears.";
        "Dialog" "Dialog" "dialog"
            "Talks by the rules of a QiChat topic until it is stopped.";
    }
    group "Flow" {
        "Wait" "Wait" "wait"
            "Waits some seconds; a new start begins to wait anew, and a stop ends it without a signal.";
        "Delay" "Delay" "delay"
            "Passes on each signal some seconds later; a stop drops those that wait.";
        "If" "If" "if"
            "Compares what it gets with a value, and goes one of two ways.";
        "Switch" "Switch" "switch"
            "Passes on what it gets to the output of the case that it equals.";
        "Counter" "Counter" "counter"
            "Counts signals from the initial to the final value, and then begins again.";
        "Loop" "Loop" "loop"
            "Repeats boxes until it is stopped: they begin at onRepeat and end at onNext.";
        "RepeatN" "Repeat N" "repeat"
            "Repeats boxes some times: they begin at onRepeat and end at onNext.";
        "Random" "Random" "random"
            "Sends a random whole number.";
        "Timer" "Timer" "timer"
            "Sends a signal again and again, the first one at once.";
        "Once" "Once" "once"
            "Passes on the first signal only, until it is reset.";
        "All" "All" "all"
            "Waits until each of its inputs has had a signal, and then begins again.";
        "Diagram" "Diagram" "box-diagram"
            "An empty diagram for boxes of your own.";
        "Script" "Script" "box-python-script"
            "A box for a script of your own, which ends at once until you write more.";
        "Log" "Log" "log"
            "Writes what it gets into the log.";
    }
    group "Sound" {
        "PlaySound" "Play Sound" "play_sound"
            "Plays a sound file of the behavior and waits for its end.";
        "PlaySoundFile" "Play Sound File" "play_sound"
            "Plays the sound file whose path it gets and waits for its end.";
        "PlayWebSound" "Play Web Sound" "web"
            "Plays a sound from the web until it ends or the box is stopped.";
        "RecordSound" "Record Sound" "rec_sound"
            "Records what the microphones hear into a file on the robot.";
        "SoundPeak" "Sound Peak" "ear"
            "Tells of each sound that the robot hears.";
        "Loudness" "Loudness" "microphone"
            "Measures how loud it is at the front microphone.";
    }
    group "LEDs" {
        "SetLEDs" "Set LEDs" "leds"
            "Fades a group of LEDs to a brightness.";
        "EyeColor" "Eye Color" "eyes_leds"
            "Fades the eyes to a color: the parameter's, or one that it gets.";
        "Blink" "Blink" "blink"
            "Switches a group of LEDs off and on some times.";
        "EarLEDs" "Ear LEDs" "ear_leds"
            "Fades the ears to a brightness.";
        "Twinkle" "Twinkle" "twinkle"
            "Fades a group of LEDs up and down for some seconds.";
    }
    group "Sensors" {
        "TactileHead" "Tactile Head" "tactilehead"
            "Tells when the head is touched.";
        "TactileHand" "Tactile Hand" "tactilehand"
            "Tells when a hand is touched.";
        "Bumpers" "Bumpers" "bumpers"
            "Tells when a bumper of the feet or the base is pressed.";
        "ChestButton" "Chest Button" "button"
            "Tells how often the button on the chest is pressed in a row.";
        "Sonar" "Sonar" "sonar"
            "Tells when the sonars notice an obstacle, and when it is gone.";
        "Battery" "Battery" "battery"
            "Tells the charge of the battery, at once and when it changes.";
        "Fall" "Fall" "fall"
            "Tells when the robot falls, and when it has fallen.";
    }
    group "Vision" {
        "FaceDetection" "Face Detection" "face"
            "Tells how many faces the robot sees.";
        "FaceRecognition" "Face Recognition" "reco_face"
            "Tells whom the robot sees, of those whose faces it has learned.";
        "LearnFace" "Learn Face" "learn_face"
            "Learns the face that the robot sees, under a name.";
        "Landmark" "Landmark" "landmark"
            "Tells which printed marks the robot sees.";
        "RedBall" "Red Ball" "redball"
            "Tells where the robot sees a red ball.";
        "TakePicture" "Take Picture" "take_picture"
            "Takes a picture and keeps it as a file on the robot.";
        "RecordVideo" "Record Video" "record_video"
            "Records a video into a file on the robot.";
        "Darkness" "Darkness" "darkness"
            "Tells when it is dark.";
        "Movement" "Movement" "movement_detection"
            "Tells when something moves in front of the robot.";
    }
    group "Motion" {
        "MoveTo" "Move To" "moveto"
            "Walks or drives to a place, seen from where the robot is.";
        "Turn" "Turn" "turn"
            "Turns the robot on the spot.";
        "Walk" "Walk" "walk"
            "Walks or drives in a direction until it is stopped.";
        "MoveAlong" "Move Along" "move_along"
            "Moves along a trajectory of a file.";
        "StopWalking" "Stop Walking" "stop_walking"
            "Ends what the robot walks or drives, and waits until it stands.";
        "Posture" "Posture" "posture"
            "Goes to one of the robot's postures, by way of others if it has to.";
        "StandUp" "Stand Up" "standup"
            "Stands the robot up.";
        "SitDown" "Sit Down" "sit"
            "Sits the robot down on the floor; Pepper cannot do that.";
        "Rest" "Rest" "rest"
            "Sits or crouches the robot and lets its motors go.";
        "WakeUp" "Wake Up" "wake_up"
            "Stiffens the robot's motors and stands it up.";
        "Hands" "Hands" "hand"
            "Opens or closes the hands.";
        "Look" "Look" "head"
            "Turns the head.";
        "LookAt" "Look At" "target"
            "Looks at a place.";
        "PointAt" "Point At" "arm"
            "Points at a place with an arm.";
        "Track" "Track" "tracker"
            "Follows a target with the head or the body until it is stopped.";
        "Stiffness" "Stiffness" "stiffness"
            "Stiffens motors or lets them go, within some time.";
        "Breathing" "Breathing" "breathing"
            "Lets the robot breathe until it is stopped.";
        "Timeline" "Timeline" "box-timeline"
            "An empty timeline for motions and boxes of your own; it ends at frame 50 until you change that.";
    }
    group "Memory" {
        "Get" "Get" "memory"
            "Reads a value of the robot's memory.";
        "Set" "Set" "stm"
            "Writes a value into the robot's memory, without raising an event.";
        "RaiseEvent" "Raise Event" "raise_event"
            "Writes a value into the robot's memory and tells all who listen for it.";
        "OnEvent" "On Event" "subscribe"
            "Listens for an event of the robot's memory until it is stopped.";
    }
    group "Tablet" {
        "ShowPage" "Show Page" "show_web"
            "Shows a page on Pepper's tablet until it is stopped.";
        "ShowImage" "Show Image" "show_image"
            "Shows a picture on Pepper's tablet until it is stopped.";
        "Hide" "Hide" "tablet"
            "Hides what Pepper's tablet shows.";
    }
    group "System" {
        "RunBehavior" "Run Behavior" "behavior"
            "Runs another behavior by its name and waits for its end.";
        "StopBehavior" "Stop Behavior" "stop_behavior"
            "Stops a behavior by its name.";
        "SendToAnotherRobot" "Send to Another Robot" "send"
            "Raises an event in the memory of another robot, where an On Event box gets it.";
        "AutonomousAbilities" "Autonomous Abilities" "animation"
            "Switches on or off what the robot does by itself.";
    }
};
