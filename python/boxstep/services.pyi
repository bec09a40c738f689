"""What services offer, for editors: `ALProxy("ALMotion", ip, port)` and `session.service("ALMotion")` return an
`ALMotion`. Programs cannot import this module.

The types are those of a robot with NAOqi 2.5. Any other name is a method, too: robots differ.
"""
# Generated from the table of services.
from typing import Any, Literal, Sequence, overload

from boxstep import client

class Session(client.Session):
    @overload
    def service(self, name: Literal["ALMemory"]) -> ALMemory: ...
    @overload
    def service(self, name: Literal["ALBehaviorManager"]) -> ALBehaviorManager: ...
    @overload
    def service(self, name: Literal["ALFrameManager"]) -> ALFrameManager: ...
    @overload
    def service(self, name: Literal["ALResourceManager"]) -> ALResourceManager: ...
    @overload
    def service(self, name: Literal["ALPythonBridge"]) -> ALPythonBridge: ...
    @overload
    def service(self, name: Literal["ALChoregraphe"]) -> ALChoregraphe: ...
    @overload
    def service(self, name: Literal["ALServiceManager"]) -> ALServiceManager: ...
    @overload
    def service(self, name: Literal["ALStore"]) -> ALStore: ...
    @overload
    def service(self, name: Literal["ALAppsAnalytics"]) -> ALAppsAnalytics: ...
    @overload
    def service(self, name: Literal["DanceTemplate"]) -> DanceTemplate: ...
    @overload
    def service(self, name: Literal["ShowTimeFramework"]) -> ShowTimeFramework: ...
    @overload
    def service(self, name: Literal["KpiLib"]) -> KpiLib: ...
    @overload
    def service(self, name: Literal["PackageManager"]) -> PackageManager: ...
    @overload
    def service(self, name: Literal["ALMotion"]) -> ALMotion: ...
    @overload
    def service(self, name: Literal["ALRobotPosture"]) -> ALRobotPosture: ...
    @overload
    def service(self, name: Literal["ALMotionRecorder"]) -> ALMotionRecorder: ...
    @overload
    def service(self, name: Literal["ALRobotPose"]) -> ALRobotPose: ...
    @overload
    def service(self, name: Literal["ALLocalization"]) -> ALLocalization: ...
    @overload
    def service(self, name: Literal["ALNavigation"]) -> ALNavigation: ...
    @overload
    def service(self, name: Literal["ALTracker"]) -> ALTracker: ...
    @overload
    def service(self, name: Literal["ALTextToSpeech"]) -> ALTextToSpeech: ...
    @overload
    def service(self, name: Literal["ALAnimatedSpeech"]) -> ALAnimatedSpeech: ...
    @overload
    def service(self, name: Literal["ALSpeechRecognition"]) -> ALSpeechRecognition: ...
    @overload
    def service(self, name: Literal["ALDialog"]) -> ALDialog: ...
    @overload
    def service(self, name: Literal["ALAudioPlayer"]) -> ALAudioPlayer: ...
    @overload
    def service(self, name: Literal["ALLeds"]) -> ALLeds: ...
    @overload
    def service(self, name: Literal["ALPhotoCapture"]) -> ALPhotoCapture: ...
    @overload
    def service(self, name: Literal["ALVideoRecorder"]) -> ALVideoRecorder: ...
    @overload
    def service(self, name: Literal["ALVideoDevice"]) -> ALVideoDevice: ...
    @overload
    def service(self, name: Literal["ALAudioRecorder"]) -> ALAudioRecorder: ...
    @overload
    def service(self, name: Literal["ALAudioDevice"]) -> ALAudioDevice: ...
    @overload
    def service(self, name: Literal["ALVolumeSlider"]) -> ALVolumeSlider: ...
    @overload
    def service(self, name: Literal["ALVisionToolbox"]) -> ALVisionToolbox: ...
    @overload
    def service(self, name: Literal["ALBacklightingDetection"]) -> ALBacklightingDetection: ...
    @overload
    def service(self, name: Literal["ALBarcodeReader"]) -> ALBarcodeReader: ...
    @overload
    def service(self, name: Literal["ALCloseObjectDetection"]) -> ALCloseObjectDetection: ...
    @overload
    def service(self, name: Literal["ALColorBlobDetection"]) -> ALColorBlobDetection: ...
    @overload
    def service(self, name: Literal["ALDarknessDetection"]) -> ALDarknessDetection: ...
    @overload
    def service(self, name: Literal["ALLandMarkDetection"]) -> ALLandMarkDetection: ...
    @overload
    def service(self, name: Literal["ALMovementDetection"]) -> ALMovementDetection: ...
    @overload
    def service(self, name: Literal["ALRedBallDetection"]) -> ALRedBallDetection: ...
    @overload
    def service(self, name: Literal["ALSegmentation3D"]) -> ALSegmentation3D: ...
    @overload
    def service(self, name: Literal["ALVisionRecognition"]) -> ALVisionRecognition: ...
    @overload
    def service(self, name: Literal["ALVisualCompass"]) -> ALVisualCompass: ...
    @overload
    def service(self, name: Literal["ALVisualSpaceHistory"]) -> ALVisualSpaceHistory: ...
    @overload
    def service(self, name: Literal["ALFaceTracker"]) -> ALFaceTracker: ...
    @overload
    def service(self, name: Literal["ALRedBallTracker"]) -> ALRedBallTracker: ...
    @overload
    def service(self, name: Literal["ALMovementRecorder"]) -> ALMovementRecorder: ...
    @overload
    def service(self, name: Literal["ALFaceDetection"]) -> ALFaceDetection: ...
    @overload
    def service(self, name: Literal["ALPeoplePerception"]) -> ALPeoplePerception: ...
    @overload
    def service(self, name: Literal["ALFaceCharacteristics"]) -> ALFaceCharacteristics: ...
    @overload
    def service(self, name: Literal["ALGazeAnalysis"]) -> ALGazeAnalysis: ...
    @overload
    def service(self, name: Literal["ALEngagementZones"]) -> ALEngagementZones: ...
    @overload
    def service(self, name: Literal["ALSittingPeopleDetection"]) -> ALSittingPeopleDetection: ...
    @overload
    def service(self, name: Literal["ALWavingDetection"]) -> ALWavingDetection: ...
    @overload
    def service(self, name: Literal["ALMood"]) -> ALMood: ...
    @overload
    def service(self, name: Literal["ALRobotMood"]) -> ALRobotMood: ...
    @overload
    def service(self, name: Literal["ALVoiceEmotionAnalysis"]) -> ALVoiceEmotionAnalysis: ...
    @overload
    def service(self, name: Literal["ALExpressionWatcher"]) -> ALExpressionWatcher: ...
    @overload
    def service(self, name: Literal["ALUserSession"]) -> ALUserSession: ...
    @overload
    def service(self, name: Literal["ALSonar"]) -> ALSonar: ...
    @overload
    def service(self, name: Literal["ALLaser"]) -> ALLaser: ...
    @overload
    def service(self, name: Literal["ALInfrared"]) -> ALInfrared: ...
    @overload
    def service(self, name: Literal["ALTouch"]) -> ALTouch: ...
    @overload
    def service(self, name: Literal["ALSensors"]) -> ALSensors: ...
    @overload
    def service(self, name: Literal["ALChestButton"]) -> ALChestButton: ...
    @overload
    def service(self, name: Literal["ALSoundDetection"]) -> ALSoundDetection: ...
    @overload
    def service(self, name: Literal["ALSoundLocalization"]) -> ALSoundLocalization: ...
    @overload
    def service(self, name: Literal["ALBodyTemperature"]) -> ALBodyTemperature: ...
    @overload
    def service(self, name: Literal["ALBattery"]) -> ALBattery: ...
    @overload
    def service(self, name: Literal["ALInertial"]) -> ALInertial: ...
    @overload
    def service(self, name: Literal["ALMecaLogger"]) -> ALMecaLogger: ...
    @overload
    def service(self, name: Literal["ALDiagnosis"]) -> ALDiagnosis: ...
    @overload
    def service(self, name: Literal["ALTactileGesture"]) -> ALTactileGesture: ...
    @overload
    def service(self, name: Literal["ALAutonomousLife"]) -> ALAutonomousLife: ...
    @overload
    def service(self, name: Literal["ALBasicAwareness"]) -> ALBasicAwareness: ...
    @overload
    def service(self, name: Literal["ALAnimationPlayer"]) -> ALAnimationPlayer: ...
    @overload
    def service(self, name: Literal["ALAutonomousBlinking"]) -> ALAutonomousBlinking: ...
    @overload
    def service(self, name: Literal["ALAutonomousMoves"]) -> ALAutonomousMoves: ...
    @overload
    def service(self, name: Literal["ALBackgroundMovement"]) -> ALBackgroundMovement: ...
    @overload
    def service(self, name: Literal["ALExpressiveListening"]) -> ALExpressiveListening: ...
    @overload
    def service(self, name: Literal["ALListeningMovement"]) -> ALListeningMovement: ...
    @overload
    def service(self, name: Literal["ALSpeakingMovement"]) -> ALSpeakingMovement: ...
    @overload
    def service(self, name: Literal["ALThinkingExpression"]) -> ALThinkingExpression: ...
    @overload
    def service(self, name: Literal["ALTabletService"]) -> ALTabletService: ...
    @overload
    def service(self, name: Literal["ALRecharge"]) -> ALRecharge: ...
    @overload
    def service(self, name: Literal["ALUserInfo"]) -> ALUserInfo: ...
    @overload
    def service(self, name: Literal["ALKnowledge"]) -> ALKnowledge: ...
    @overload
    def service(self, name: Literal["ALWorldRepresentation"]) -> ALWorldRepresentation: ...
    @overload
    def service(self, name: Literal["ALNotificationManager"]) -> ALNotificationManager: ...
    @overload
    def service(self, name: Literal["ALPreferenceManager"]) -> ALPreferenceManager: ...
    @overload
    def service(self, name: Literal["ALPreferences"]) -> ALPreferences: ...
    @overload
    def service(self, name: Literal["ALLauncher"]) -> ALLauncher: ...
    @overload
    def service(self, name: Literal["ALFileManager"]) -> ALFileManager: ...
    @overload
    def service(self, name: Literal["ALFsr"]) -> ALFsr: ...
    @overload
    def service(self, name: Literal["ALSystem"]) -> ALSystem: ...
    @overload
    def service(self, name: Literal["ServiceDirectory"]) -> ServiceDirectory: ...
    @overload
    def service(self, name: Literal["DCM"]) -> DCM: ...
    @overload
    def service(self, name: Literal["ALRobotModel"]) -> ALRobotModel: ...
    @overload
    def service(self, name: Literal["ALLogger"]) -> ALLogger: ...
    @overload
    def service(self, name: Literal["LogManager"]) -> LogManager: ...
    @overload
    def service(self, name: Literal["ALConnectionManager"]) -> ALConnectionManager: ...
    @overload
    def service(self, name: str, *_: Any, _async: bool = False) -> Any: ...

class ALProxy(client.Service):
    post: Any
    @overload
    def __new__(cls, name: Literal["ALMemory"], ip: str = ..., port: int = ...) -> ALMemory: ...
    @overload
    def __new__(cls, name: Literal["ALBehaviorManager"], ip: str = ..., port: int = ...) -> ALBehaviorManager: ...
    @overload
    def __new__(cls, name: Literal["ALFrameManager"], ip: str = ..., port: int = ...) -> ALFrameManager: ...
    @overload
    def __new__(cls, name: Literal["ALResourceManager"], ip: str = ..., port: int = ...) -> ALResourceManager: ...
    @overload
    def __new__(cls, name: Literal["ALPythonBridge"], ip: str = ..., port: int = ...) -> ALPythonBridge: ...
    @overload
    def __new__(cls, name: Literal["ALChoregraphe"], ip: str = ..., port: int = ...) -> ALChoregraphe: ...
    @overload
    def __new__(cls, name: Literal["ALServiceManager"], ip: str = ..., port: int = ...) -> ALServiceManager: ...
    @overload
    def __new__(cls, name: Literal["ALStore"], ip: str = ..., port: int = ...) -> ALStore: ...
    @overload
    def __new__(cls, name: Literal["ALAppsAnalytics"], ip: str = ..., port: int = ...) -> ALAppsAnalytics: ...
    @overload
    def __new__(cls, name: Literal["DanceTemplate"], ip: str = ..., port: int = ...) -> DanceTemplate: ...
    @overload
    def __new__(cls, name: Literal["ShowTimeFramework"], ip: str = ..., port: int = ...) -> ShowTimeFramework: ...
    @overload
    def __new__(cls, name: Literal["KpiLib"], ip: str = ..., port: int = ...) -> KpiLib: ...
    @overload
    def __new__(cls, name: Literal["PackageManager"], ip: str = ..., port: int = ...) -> PackageManager: ...
    @overload
    def __new__(cls, name: Literal["ALMotion"], ip: str = ..., port: int = ...) -> ALMotion: ...
    @overload
    def __new__(cls, name: Literal["ALRobotPosture"], ip: str = ..., port: int = ...) -> ALRobotPosture: ...
    @overload
    def __new__(cls, name: Literal["ALMotionRecorder"], ip: str = ..., port: int = ...) -> ALMotionRecorder: ...
    @overload
    def __new__(cls, name: Literal["ALRobotPose"], ip: str = ..., port: int = ...) -> ALRobotPose: ...
    @overload
    def __new__(cls, name: Literal["ALLocalization"], ip: str = ..., port: int = ...) -> ALLocalization: ...
    @overload
    def __new__(cls, name: Literal["ALNavigation"], ip: str = ..., port: int = ...) -> ALNavigation: ...
    @overload
    def __new__(cls, name: Literal["ALTracker"], ip: str = ..., port: int = ...) -> ALTracker: ...
    @overload
    def __new__(cls, name: Literal["ALTextToSpeech"], ip: str = ..., port: int = ...) -> ALTextToSpeech: ...
    @overload
    def __new__(cls, name: Literal["ALAnimatedSpeech"], ip: str = ..., port: int = ...) -> ALAnimatedSpeech: ...
    @overload
    def __new__(cls, name: Literal["ALSpeechRecognition"], ip: str = ..., port: int = ...) -> ALSpeechRecognition: ...
    @overload
    def __new__(cls, name: Literal["ALDialog"], ip: str = ..., port: int = ...) -> ALDialog: ...
    @overload
    def __new__(cls, name: Literal["ALAudioPlayer"], ip: str = ..., port: int = ...) -> ALAudioPlayer: ...
    @overload
    def __new__(cls, name: Literal["ALLeds"], ip: str = ..., port: int = ...) -> ALLeds: ...
    @overload
    def __new__(cls, name: Literal["ALPhotoCapture"], ip: str = ..., port: int = ...) -> ALPhotoCapture: ...
    @overload
    def __new__(cls, name: Literal["ALVideoRecorder"], ip: str = ..., port: int = ...) -> ALVideoRecorder: ...
    @overload
    def __new__(cls, name: Literal["ALVideoDevice"], ip: str = ..., port: int = ...) -> ALVideoDevice: ...
    @overload
    def __new__(cls, name: Literal["ALAudioRecorder"], ip: str = ..., port: int = ...) -> ALAudioRecorder: ...
    @overload
    def __new__(cls, name: Literal["ALAudioDevice"], ip: str = ..., port: int = ...) -> ALAudioDevice: ...
    @overload
    def __new__(cls, name: Literal["ALVolumeSlider"], ip: str = ..., port: int = ...) -> ALVolumeSlider: ...
    @overload
    def __new__(cls, name: Literal["ALVisionToolbox"], ip: str = ..., port: int = ...) -> ALVisionToolbox: ...
    @overload
    def __new__(cls, name: Literal["ALBacklightingDetection"], ip: str = ..., port: int = ...) -> ALBacklightingDetection: ...
    @overload
    def __new__(cls, name: Literal["ALBarcodeReader"], ip: str = ..., port: int = ...) -> ALBarcodeReader: ...
    @overload
    def __new__(cls, name: Literal["ALCloseObjectDetection"], ip: str = ..., port: int = ...) -> ALCloseObjectDetection: ...
    @overload
    def __new__(cls, name: Literal["ALColorBlobDetection"], ip: str = ..., port: int = ...) -> ALColorBlobDetection: ...
    @overload
    def __new__(cls, name: Literal["ALDarknessDetection"], ip: str = ..., port: int = ...) -> ALDarknessDetection: ...
    @overload
    def __new__(cls, name: Literal["ALLandMarkDetection"], ip: str = ..., port: int = ...) -> ALLandMarkDetection: ...
    @overload
    def __new__(cls, name: Literal["ALMovementDetection"], ip: str = ..., port: int = ...) -> ALMovementDetection: ...
    @overload
    def __new__(cls, name: Literal["ALRedBallDetection"], ip: str = ..., port: int = ...) -> ALRedBallDetection: ...
    @overload
    def __new__(cls, name: Literal["ALSegmentation3D"], ip: str = ..., port: int = ...) -> ALSegmentation3D: ...
    @overload
    def __new__(cls, name: Literal["ALVisionRecognition"], ip: str = ..., port: int = ...) -> ALVisionRecognition: ...
    @overload
    def __new__(cls, name: Literal["ALVisualCompass"], ip: str = ..., port: int = ...) -> ALVisualCompass: ...
    @overload
    def __new__(cls, name: Literal["ALVisualSpaceHistory"], ip: str = ..., port: int = ...) -> ALVisualSpaceHistory: ...
    @overload
    def __new__(cls, name: Literal["ALFaceTracker"], ip: str = ..., port: int = ...) -> ALFaceTracker: ...
    @overload
    def __new__(cls, name: Literal["ALRedBallTracker"], ip: str = ..., port: int = ...) -> ALRedBallTracker: ...
    @overload
    def __new__(cls, name: Literal["ALMovementRecorder"], ip: str = ..., port: int = ...) -> ALMovementRecorder: ...
    @overload
    def __new__(cls, name: Literal["ALFaceDetection"], ip: str = ..., port: int = ...) -> ALFaceDetection: ...
    @overload
    def __new__(cls, name: Literal["ALPeoplePerception"], ip: str = ..., port: int = ...) -> ALPeoplePerception: ...
    @overload
    def __new__(cls, name: Literal["ALFaceCharacteristics"], ip: str = ..., port: int = ...) -> ALFaceCharacteristics: ...
    @overload
    def __new__(cls, name: Literal["ALGazeAnalysis"], ip: str = ..., port: int = ...) -> ALGazeAnalysis: ...
    @overload
    def __new__(cls, name: Literal["ALEngagementZones"], ip: str = ..., port: int = ...) -> ALEngagementZones: ...
    @overload
    def __new__(cls, name: Literal["ALSittingPeopleDetection"], ip: str = ..., port: int = ...) -> ALSittingPeopleDetection: ...
    @overload
    def __new__(cls, name: Literal["ALWavingDetection"], ip: str = ..., port: int = ...) -> ALWavingDetection: ...
    @overload
    def __new__(cls, name: Literal["ALMood"], ip: str = ..., port: int = ...) -> ALMood: ...
    @overload
    def __new__(cls, name: Literal["ALRobotMood"], ip: str = ..., port: int = ...) -> ALRobotMood: ...
    @overload
    def __new__(cls, name: Literal["ALVoiceEmotionAnalysis"], ip: str = ..., port: int = ...) -> ALVoiceEmotionAnalysis: ...
    @overload
    def __new__(cls, name: Literal["ALExpressionWatcher"], ip: str = ..., port: int = ...) -> ALExpressionWatcher: ...
    @overload
    def __new__(cls, name: Literal["ALUserSession"], ip: str = ..., port: int = ...) -> ALUserSession: ...
    @overload
    def __new__(cls, name: Literal["ALSonar"], ip: str = ..., port: int = ...) -> ALSonar: ...
    @overload
    def __new__(cls, name: Literal["ALLaser"], ip: str = ..., port: int = ...) -> ALLaser: ...
    @overload
    def __new__(cls, name: Literal["ALInfrared"], ip: str = ..., port: int = ...) -> ALInfrared: ...
    @overload
    def __new__(cls, name: Literal["ALTouch"], ip: str = ..., port: int = ...) -> ALTouch: ...
    @overload
    def __new__(cls, name: Literal["ALSensors"], ip: str = ..., port: int = ...) -> ALSensors: ...
    @overload
    def __new__(cls, name: Literal["ALChestButton"], ip: str = ..., port: int = ...) -> ALChestButton: ...
    @overload
    def __new__(cls, name: Literal["ALSoundDetection"], ip: str = ..., port: int = ...) -> ALSoundDetection: ...
    @overload
    def __new__(cls, name: Literal["ALSoundLocalization"], ip: str = ..., port: int = ...) -> ALSoundLocalization: ...
    @overload
    def __new__(cls, name: Literal["ALBodyTemperature"], ip: str = ..., port: int = ...) -> ALBodyTemperature: ...
    @overload
    def __new__(cls, name: Literal["ALBattery"], ip: str = ..., port: int = ...) -> ALBattery: ...
    @overload
    def __new__(cls, name: Literal["ALInertial"], ip: str = ..., port: int = ...) -> ALInertial: ...
    @overload
    def __new__(cls, name: Literal["ALMecaLogger"], ip: str = ..., port: int = ...) -> ALMecaLogger: ...
    @overload
    def __new__(cls, name: Literal["ALDiagnosis"], ip: str = ..., port: int = ...) -> ALDiagnosis: ...
    @overload
    def __new__(cls, name: Literal["ALTactileGesture"], ip: str = ..., port: int = ...) -> ALTactileGesture: ...
    @overload
    def __new__(cls, name: Literal["ALAutonomousLife"], ip: str = ..., port: int = ...) -> ALAutonomousLife: ...
    @overload
    def __new__(cls, name: Literal["ALBasicAwareness"], ip: str = ..., port: int = ...) -> ALBasicAwareness: ...
    @overload
    def __new__(cls, name: Literal["ALAnimationPlayer"], ip: str = ..., port: int = ...) -> ALAnimationPlayer: ...
    @overload
    def __new__(cls, name: Literal["ALAutonomousBlinking"], ip: str = ..., port: int = ...) -> ALAutonomousBlinking: ...
    @overload
    def __new__(cls, name: Literal["ALAutonomousMoves"], ip: str = ..., port: int = ...) -> ALAutonomousMoves: ...
    @overload
    def __new__(cls, name: Literal["ALBackgroundMovement"], ip: str = ..., port: int = ...) -> ALBackgroundMovement: ...
    @overload
    def __new__(cls, name: Literal["ALExpressiveListening"], ip: str = ..., port: int = ...) -> ALExpressiveListening: ...
    @overload
    def __new__(cls, name: Literal["ALListeningMovement"], ip: str = ..., port: int = ...) -> ALListeningMovement: ...
    @overload
    def __new__(cls, name: Literal["ALSpeakingMovement"], ip: str = ..., port: int = ...) -> ALSpeakingMovement: ...
    @overload
    def __new__(cls, name: Literal["ALThinkingExpression"], ip: str = ..., port: int = ...) -> ALThinkingExpression: ...
    @overload
    def __new__(cls, name: Literal["ALTabletService"], ip: str = ..., port: int = ...) -> ALTabletService: ...
    @overload
    def __new__(cls, name: Literal["ALRecharge"], ip: str = ..., port: int = ...) -> ALRecharge: ...
    @overload
    def __new__(cls, name: Literal["ALUserInfo"], ip: str = ..., port: int = ...) -> ALUserInfo: ...
    @overload
    def __new__(cls, name: Literal["ALKnowledge"], ip: str = ..., port: int = ...) -> ALKnowledge: ...
    @overload
    def __new__(cls, name: Literal["ALWorldRepresentation"], ip: str = ..., port: int = ...) -> ALWorldRepresentation: ...
    @overload
    def __new__(cls, name: Literal["ALNotificationManager"], ip: str = ..., port: int = ...) -> ALNotificationManager: ...
    @overload
    def __new__(cls, name: Literal["ALPreferenceManager"], ip: str = ..., port: int = ...) -> ALPreferenceManager: ...
    @overload
    def __new__(cls, name: Literal["ALPreferences"], ip: str = ..., port: int = ...) -> ALPreferences: ...
    @overload
    def __new__(cls, name: Literal["ALLauncher"], ip: str = ..., port: int = ...) -> ALLauncher: ...
    @overload
    def __new__(cls, name: Literal["ALFileManager"], ip: str = ..., port: int = ...) -> ALFileManager: ...
    @overload
    def __new__(cls, name: Literal["ALFsr"], ip: str = ..., port: int = ...) -> ALFsr: ...
    @overload
    def __new__(cls, name: Literal["ALSystem"], ip: str = ..., port: int = ...) -> ALSystem: ...
    @overload
    def __new__(cls, name: Literal["ServiceDirectory"], ip: str = ..., port: int = ...) -> ServiceDirectory: ...
    @overload
    def __new__(cls, name: Literal["DCM"], ip: str = ..., port: int = ...) -> DCM: ...
    @overload
    def __new__(cls, name: Literal["ALRobotModel"], ip: str = ..., port: int = ...) -> ALRobotModel: ...
    @overload
    def __new__(cls, name: Literal["ALLogger"], ip: str = ..., port: int = ...) -> ALLogger: ...
    @overload
    def __new__(cls, name: Literal["LogManager"], ip: str = ..., port: int = ...) -> LogManager: ...
    @overload
    def __new__(cls, name: Literal["ALConnectionManager"], ip: str = ..., port: int = ...) -> ALConnectionManager: ...
    @overload
    def __new__(cls, name: str, ip: Any = ..., port: int = ...) -> ALProxy: ...
    def __getattr__(self, name: str) -> Any: ...
    @overload
    def wait(self, _1: int, _2: int, /) -> bool:
        """Waits for a posted call, at most some milliseconds (0: for ever)."""
    @overload
    def wait(self, _1: Any, /) -> bool:
        """Waits for a posted call, at most some milliseconds (0: for ever)."""
    def stop(self, _1: int, /) -> None:
        """Stops a posted call."""
    def isRunning(self, _1: int, /) -> bool:
        """Whether a posted call still runs."""
    def ping(self) -> bool:
        """True."""
    def version(self) -> str:
        """Version of the module."""
    def pCall(self, _1: Any, /) -> Any:
        """Calls a method and gives the number of the call."""
    def exit(self) -> None:
        """Ends the module."""
    def getBrokerName(self) -> str:
        """Name of the broker."""
    def getMethodHelp(self, _1: str, /) -> Any:
        """Description of a method."""
    def getMethodList(self) -> list[str]:
        """Names of the methods."""
    def getModuleHelp(self) -> Any:
        """Description of the module."""
    def getUsage(self, _1: str, /) -> str:
        """How to call a method."""
    def setProperty(self, _1: Any, _2: Any, /) -> None:
        """Sets a property."""
    def property(self, _1: Any, /) -> Any:
        """Value of a property."""
    def properties(self) -> list[str]:
        """Names of the properties."""
    @overload
    def metaObject(self) -> Any:
        """Methods, signals and properties."""
    @overload
    def metaObject(self, _1: Any, /) -> Any:
        """Methods, signals and properties."""

class Extractor(ALProxy):
    """A service that senses while it has subscribers."""
    @overload
    def subscribe(self, _1: str, /) -> None:
        """Starts sensing for a subscriber: name, period, precision."""
    @overload
    def subscribe(self, _1: str, _2: int, _3: float, /) -> None:
        """Starts sensing for a subscriber: name, period, precision."""
    @overload
    def subscribe(self, _1: Any, _2: Any, /) -> None:
        """Starts sensing for a subscriber: name, period, precision."""
    def unsubscribe(self, _1: str, /) -> None:
        """Ends a subscription."""
    def getCurrentPeriod(self) -> int:
        """Period, milliseconds."""
    def getCurrentPrecision(self) -> float:
        """Precision."""
    def getEventList(self) -> list[str]:
        """Events it raises."""
    def getMemoryKeyList(self) -> list[str]:
        """Memory keys it writes."""
    def getMyPeriod(self, _1: str, /) -> int:
        """Period a subscriber asked for."""
    def getMyPrecision(self, _1: str, /) -> float:
        """Precision a subscriber asked for."""
    def getOutputNames(self) -> list[str]:
        """Events and keys."""
    def getSubscribersInfo(self) -> Any:
        """Subscribers with period and precision."""
    def isPaused(self) -> bool:
        """Whether it pauses."""
    def isProcessing(self) -> bool:
        """Whether it senses now."""
    @overload
    def pause(self) -> None:
        """Pauses or goes on."""
    @overload
    def pause(self, _1: bool, /) -> None:
        """Pauses or goes on."""
    def updatePeriod(self, _1: str, _2: int, /) -> None:
        """Changes a subscriber's period."""
    def updatePrecision(self, _1: str, _2: float, /) -> None:
        """Changes a subscriber's precision."""
    def getParameter(self, _1: Any, /) -> Any:
        """Value of a parameter."""
    def setParameter(self, _1: Any, _2: Any, /) -> Any:
        """Sets a parameter."""

class CameraExtractor(Extractor):
    """A service that looks through a camera while it has subscribers."""
    def getActiveCamera(self) -> int:
        """Camera it looks through."""
    def setActiveCamera(self, _1: Any, /) -> bool:
        """Camera it looks through."""
    def getFrameRate(self) -> int:
        """Pictures a second."""
    def setFrameRate(self, _1: Any, /) -> bool:
        """Pictures a second."""
    def getResolution(self) -> int:
        """Resolution, 0…."""
    def setResolution(self, _1: Any, /) -> bool:
        """Resolution, 0…."""

class ALMemory(ALProxy):
    """Values and events by name."""
    @overload
    def insertData(self, _1: str, _2: float, /) -> None:
        """Writes a value."""
    @overload
    def insertData(self, _1: str, _2: int, /) -> None:
        """Writes a value."""
    @overload
    def insertData(self, _1: str, _2: str, /) -> None:
        """Writes a value."""
    @overload
    def insertData(self, _1: str, _2: Any, /) -> None:
        """Writes a value."""
    @overload
    def getData(self, _1: str, /) -> Any:
        """Value of a key; an error if there is none."""
    @overload
    def getData(self, _1: str, _2: int, /) -> Any:
        """Value of a key; an error if there is none."""
    def getListData(self, _1: Any, /) -> Any:
        """Values of several keys."""
    def insertListData(self, _1: Any, /) -> None:
        """Writes pairs of key and value."""
    def raiseEvent(self, _1: str, _2: Any, /) -> None:
        """Writes a value and tells the subscribers."""
    def raiseMicroEvent(self, _1: str, _2: Any, /) -> None:
        """Tells the subscribers without keeping the value."""
    @overload
    def subscribeToEvent(self, _1: str, _2: str, _3: str, /) -> None:
        """Calls a module's method when the event is raised."""
    @overload
    def subscribeToEvent(self, _1: str, _2: str, _3: str, _4: str, /) -> None:
        """Calls a module's method when the event is raised."""
    @overload
    def subscribeToEvent(self, _1: Any, _2: Any, /) -> None:
        """Calls a module's method when the event is raised."""
    def unsubscribeToEvent(self, _1: str, _2: str, /) -> None:
        """Ends a subscription."""
    @overload
    def subscribeToMicroEvent(self, _1: str, _2: str, _3: str, _4: str, /) -> None:
        """Calls a module's method when the micro-event is raised."""
    @overload
    def subscribeToMicroEvent(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Calls a module's method when the micro-event is raised."""
    def unsubscribeToMicroEvent(self, _1: str, _2: str, /) -> None:
        """Ends a micro-event subscription."""
    @overload
    def declareEvent(self, _1: str, /) -> None:
        """Makes an event known."""
    @overload
    def declareEvent(self, _1: str, _2: str, /) -> None:
        """Makes an event known."""
    def removeEvent(self, _1: str, /) -> None:
        """Forgets an event."""
    def removeMicroEvent(self, _1: str, /) -> None:
        """Forgets a micro-event."""
    def removeData(self, _1: str, /) -> None:
        """Forgets a key."""
    def subscriber(self, _1: str, /) -> Any:
        """Object with the signal of an event."""
    def getDataList(self, _1: str, /) -> list[str]:
        """Keys that contain a text."""
    def getDataListName(self) -> list[str]:
        """Every key."""
    def getEventList(self) -> list[str]:
        """Every event."""
    def getMicroEventList(self) -> list[str]:
        """Every micro-event."""
    def getSubscribers(self, _1: str, /) -> list[str]:
        """Who subscribes to an event."""
    def getTimestamp(self, _1: str, /) -> Any:
        """Value with the time it was written."""
    def getExtractorEvent(self, _1: str, /) -> list[str]:
        """Events of an extractor."""
    def getEventHistory(self, _1: str, /) -> Any:
        """Last values of an event."""
    def getDataOnChange(self, _1: str, _2: int, /) -> Any:
        """Waits for a key to change."""
    def getDataPtr(self, _1: str, /) -> Any:
        """Address of a value."""
    def getType(self, _1: str, /) -> str:
        """Type of a value."""
    def getDescriptionList(self, _1: Sequence[str], /) -> Any:
        """Descriptions of keys."""
    def setDescription(self, _1: str, _2: str, /) -> None:
        """Describes a key."""
    @overload
    def insertEvent(self, _1: Any, /) -> Any:
        """Old form of declareEvent."""
    @overload
    def insertEvent(self, _1: Any, _2: Any, /) -> Any:
        """Old form of declareEvent."""
    @overload
    def addMapping(self, _1: str, _2: str, _3: str, /) -> None:
        """Renames a key for a service."""
    @overload
    def addMapping(self, _1: str, _2: Any, /) -> None:
        """Renames a key for a service."""
    def addMappings(self, _1: Any, _2: Any, /) -> Any:
        """Renames keys for a service."""
    def unregisterModuleReference(self, _1: str, /) -> None:
        """Ends every subscription of a module."""
    @overload
    def declareMicroEvent(self, _1: Any, /) -> Any:
        """Makes an event known."""
    @overload
    def declareMicroEvent(self, _1: Any, _2: Any, /) -> Any:
        """Makes an event known."""

class ALBehaviorManager(ALProxy):
    """Installed and running behaviors."""
    def startBehavior(self, _1: str, /) -> None:
        """Starts a behavior."""
    def runBehavior(self, _1: str, /) -> None:
        """Starts a behavior and waits for its end."""
    def stopBehavior(self, _1: str, /) -> None:
        """Stops a behavior."""
    def stopAllBehaviors(self) -> None:
        """Stops every behavior."""
    def preloadBehavior(self, _1: str, /) -> bool:
        """Loads a behavior."""
    def isBehaviorInstalled(self, _1: str, /) -> bool:
        """Whether there is a behavior of this name."""
    def isBehaviorPresent(self, _1: str, /) -> bool:
        """Old name of isBehaviorInstalled."""
    def isBehaviorLoaded(self, _1: str, /) -> bool:
        """Whether it is loaded."""
    def isBehaviorRunning(self, _1: str, /) -> bool:
        """Whether it runs."""
    def getInstalledBehaviors(self) -> list[str]:
        """Names of all behaviors."""
    def getLoadedBehaviors(self) -> list[str]:
        """Names of the loaded behaviors."""
    def getRunningBehaviors(self) -> list[str]:
        """Names of the running behaviors."""
    def getBehaviorNames(self) -> list[str]:
        """Old name of getInstalledBehaviors."""
    def getUserBehaviorNames(self) -> list[str]:
        """Behaviors the user installed."""
    def getSystemBehaviorNames(self) -> list[str]:
        """Behaviors of the system."""
    def resolveBehaviorName(self, _1: str, /) -> str:
        """Full name of a behavior."""
    def getBehaviorNature(self, _1: str, /) -> str:
        """Nature from the manifest."""
    def getBehaviorTags(self, _1: str, /) -> list[str]:
        """Tags from the manifest."""
    def getBehaviorsByTag(self, _1: str, /) -> list[str]:
        """Behaviors with a tag."""
    def getTagList(self) -> list[str]:
        """Every tag."""
    def getLoadedBehaviorsByTag(self, _1: Any, /) -> Any:
        """Loaded behaviors with a tag."""
    def addDefaultBehavior(self, _1: str, /) -> None:
        """Starts a behavior with the robot."""
    def removeDefaultBehavior(self, _1: str, /) -> None:
        """No longer starts it with the robot."""
    def getDefaultBehaviors(self) -> list[str]:
        """Behaviors that start with the robot."""
    def playDefaultProject(self) -> None:
        """Starts the default behaviors."""
    @overload
    def installBehavior(self, _1: str, /) -> bool:
        """Installs a behavior."""
    @overload
    def installBehavior(self, _1: str, _2: str, _3: bool, /) -> bool:
        """Installs a behavior."""
    @overload
    def installBehavior(self, _1: Any, _2: Any, /) -> bool:
        """Installs a behavior."""
    def removeBehavior(self, _1: str, /) -> bool:
        """Removes a behavior."""
    behaviorLoaded: Any
    behaviorStarted: Any
    behaviorStopped: Any
    behaviorFailed: Any
    behaviorsAdded: Any
    behaviorsRemoved: Any
    behaviorAdded: Any
    behaviorRemoved: Any
    behaviorUpdated: Any

class ALFrameManager(ALProxy):
    """Runs the boxes of behaviors; no public page describes it."""
    def getBehaviorPath(self, _1: str, /) -> str:
        """Folder of a behavior."""
    def exitBehavior(self, _1: str, /) -> None:
        """Ends a behavior."""
    def getTimelineFps(self, _1: str, /) -> int:
        """Frames a second of a timeline."""
    def setTimelineFps(self, _1: str, _2: int, /) -> None:
        """Sets the frames a second of a timeline."""
    def createTimeline(self, _1: str, /) -> str:
        """Internal."""
    def addTimeline(self, *args: Any) -> Any:
        """Internal."""
    def newBehaviorFromFile(self, _1: str, _2: str, /) -> str:
        """Internal."""
    def newBehaviorFromChoregraphe(self) -> str:
        """Internal."""
    def playBehavior(self, _1: str, /) -> None:
        """Internal."""
    def stopBehavior(self, _1: Any, /) -> Any:
        """Internal."""
    def completeBehavior(self, _1: str, /) -> None:
        """Internal."""
    def deleteBehavior(self, _1: str, /) -> None:
        """Internal."""
    def cleanBehaviors(self) -> None:
        """Internal."""
    def getTimeline(self, _1: Any, _2: Any, /) -> Any:
        """Internal."""
    @overload
    def gotoAndPlay(self, _1: str, _2: int, /) -> None:
        """Internal."""
    @overload
    def gotoAndPlay(self, _1: str, _2: str, /) -> None:
        """Internal."""
    @overload
    def gotoAndStop(self, _1: str, _2: int, /) -> None:
        """Internal."""
    @overload
    def gotoAndStop(self, _1: str, _2: str, /) -> None:
        """Internal."""

class ALResourceManager(ALProxy):
    """Who may use what."""
    def acquireResource(self, _1: str, _2: str, _3: str, _4: int, /) -> None:
        """Takes a resource: name, owner, callback, seconds."""
    def acquireResourcesTree(self, _1: Sequence[str], _2: str, _3: str, _4: int, /) -> None:
        """Takes several resources."""
    def releaseResource(self, _1: str, _2: str, /) -> None:
        """Gives a resource back."""
    def releaseResources(self, _1: Sequence[str], _2: str, /) -> None:
        """Gives several back."""
    def areResourcesFree(self, _1: Sequence[str], /) -> bool:
        """Whether nobody has any of them."""
    def isResourceFree(self, _1: str, /) -> bool:
        """Whether nobody has it."""
    def areResourcesOwnedBy(self, _1: Sequence[str], _2: str, /) -> bool:
        """Whether an owner has all of them."""
    def createResource(self, _1: str, _2: str, /) -> None:
        """Adds a resource under a parent."""
    def createResourcesList(self, _1: Sequence[str], _2: str, /) -> None:
        """Adds several."""
    @overload
    def deleteResource(self, _1: str, _2: bool, /) -> None:
        """Removes a resource."""
    @overload
    def deleteResource(self, _1: Any, /) -> None:
        """Removes a resource."""
    def enableStateResource(self, _1: str, _2: bool, /) -> None:
        """Makes a state resource true or false."""
    def isInGroup(self, _1: str, _2: str, /) -> bool:
        """Whether a resource is part of another."""
    def getResources(self) -> Any:
        """Every resource."""
    def ownersGet(self) -> Any:
        """Resources with their owners."""
    def checkStateResourceFree(self, _1: Sequence[str], /) -> bool:
        """Whether states are true."""
    def waitForResource(self, _1: str, _2: str, _3: str, _4: int, /) -> None:
        """Deprecated: takes a resource."""
    def waitForResourcesTree(self, _1: Sequence[str], _2: str, _3: str, _4: int, /) -> None:
        """Deprecated: takes several."""
    def waitForOptionalResourcesTree(self, _1: Sequence[str], _2: str, _3: str, _4: int, _5: Sequence[str], /) -> list[str]:
        """Deprecated: takes several, and of others what is free."""

class ALPythonBridge(ALProxy):
    """Python in the robot's own process."""
    def eval(self, _1: str, /) -> str:
        """Evaluates an expression."""
    def evalReturn(self, _1: str, /) -> Any:
        """Evaluates an expression and gives its value."""
    def evalFull(self, _1: str, /) -> Any:
        """Evaluates and gives value, output and errors."""

class ALChoregraphe(ALProxy):
    """What the editor listens to."""
    @overload
    def onPythonError(self, _1: Any, /) -> Any:
        """Tells the editor of a script error."""
    @overload
    def onPythonError(self, _1: Any, _2: Any, /) -> Any:
        """Tells the editor of a script error."""
    @overload
    def onPythonError(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Tells the editor of a script error."""
    @overload
    def onPythonError(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Tells the editor of a script error."""
    @overload
    def onPythonError(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> Any:
        """Tells the editor of a script error."""
    @overload
    def onPythonError(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, _6: Any, /) -> Any:
        """Tells the editor of a script error."""

class ALServiceManager(ALProxy):
    """Services of application packages."""
    def startService(self, _1: str, /) -> bool:
        """Starts a service of a package."""
    def stopService(self, _1: str, /) -> bool:
        """Stops it."""
    def services(self) -> list[Any]:
        """Every service."""
    def service(self, _1: Any, /) -> Any:
        """What is known of a service."""
    def isServiceRunning(self, _1: str, /) -> bool:
        """Whether it runs."""
    def restartService(self, _1: str, /) -> bool:
        """Stops and starts it."""
    def start(self, _1: str, /) -> None:
        """Short for startService."""
    def stop(self, _1: str, /) -> None:
        """Short for stopService."""
    def serviceMemoryUsage(self, _1: Any, /) -> Any:
        """Memory of a service."""
    def serviceProcessId(self, _1: Any, /) -> Any:
        """Process of a service."""
    def startAllServices(self) -> Any:
        """Starts every service."""
    def stopAllServices(self) -> Any:
        """Stops every service."""
    serviceStarted: Any
    serviceStopped: Any

class ALStore(ALProxy):
    """Applications."""
    @overload
    def update(self) -> Any:
        """Updates."""
    @overload
    def update(self, _1: Any, /) -> Any:
        """Updates."""
    def autoUpdate(self) -> Any:
        """Whether applications update themselves."""
    def isConnected(self) -> Any:
        """Whether the store is in reach."""
    def status(self) -> Any:
        """State of the store."""
    @overload
    def updateInfo(self) -> Any:
        """Asks for news."""
    @overload
    def updateInfo(self, _1: Any, /) -> Any:
        """Asks for news."""

class ALAppsAnalytics(ALProxy):
    """Statistics; not described."""
    def push_mood(self, *args: Any) -> Any:
        """Undocumented."""

class DanceTemplate(ALProxy):
    """A service of dance applications, not of the robot."""
    def init_template(self, *args: Any) -> Any:
        """Undocumented."""
    def onLoadDanceBehavior(self, *args: Any) -> Any:
        """Undocumented."""
    def onUnloadDanceBehavior(self, *args: Any) -> Any:
        """Undocumented."""
    def onStartDanceBehavior(self, *args: Any) -> Any:
        """Undocumented."""
    def onLoadDanceBox(self, *args: Any) -> Any:
        """Undocumented."""
    def onUnloadDanceBox(self, *args: Any) -> Any:
        """Undocumented."""
    def onBeforeStartDanceBox(self, *args: Any) -> Any:
        """Undocumented."""
    def setReturnValueEnd(self, *args: Any) -> Any:
        """Undocumented."""
    def setUpBehaviorByRadiusAvailable(self, *args: Any) -> Any:
        """Undocumented."""
    def stopautoSetupBehavior(self, *args: Any) -> Any:
        """Undocumented."""
    def logBehaviorMessage(self, *args: Any) -> Any:
        """Undocumented."""
    def launchMoveAlong(self, *args: Any) -> Any:
        """Undocumented."""
    def addMusicId(self, *args: Any) -> Any:
        """Undocumented."""
    def removeMusicId(self, *args: Any) -> Any:
        """Undocumented."""
    def normalStop_Template(self, *args: Any) -> Any:
        """Undocumented."""

class ShowTimeFramework(ALProxy):
    """A service of dance applications, not of the robot."""
    def disableCheckPart(self, *args: Any) -> Any:
        """Undocumented."""

class KpiLib(ALProxy):
    """A service of applications, not of the robot."""
    def _sendKpiInfo(self, *args: Any) -> Any:
        """Undocumented."""

class PackageManager(ALProxy):
    """Installed packages."""
    def hasPackage(self, _1: str, /) -> bool:
        """Whether a package is installed."""
    def package(self, _1: str, /) -> Any:
        """What is known of a package."""
    def package2(self, _1: str, /) -> Any:
        """What is known of a package."""
    def packages(self) -> list[Any]:
        """Every package."""
    def packages2(self) -> list[Any]:
        """Every package."""
    def packageIcon(self, _1: str, /) -> str:
        """Icon of a package."""
    @overload
    def install(self, _1: str, /) -> bool:
        """Installs a package file."""
    @overload
    def install(self, _1: str, _2: str, /) -> int:
        """Installs a package file."""
    @overload
    def install(self, _1: str, _2: str, _3: str, /) -> int:
        """Installs a package file."""
    def remove(self, _1: str, /) -> int:
        """Removes a package."""
    def removePkg(self, _1: str, /) -> None:
        """Removes a package."""
    def getPackage(self, _1: str, /) -> Any:
        """What is known of a package."""
    def getPackages(self) -> Any:
        """Every package."""
    def uninstall(self, _1: Any, /) -> Any:
        """Removes a package."""

class ALMotion(ALProxy):
    """Joints, stiffness, walk, balance."""
    def wakeUp(self) -> None:
        """Stiffens the robot and stands it up."""
    @overload
    def rest(self) -> None:
        """Goes to a resting posture and lets go."""
    @overload
    def rest(self, _1: str, /) -> None:
        """Goes to a resting posture and lets go."""
    def robotIsWakeUp(self) -> bool:
        """Whether the robot is awake."""
    def setStiffnesses(self, _1: Any, _2: Any, /) -> None:
        """Sets stiffness at once."""
    def getStiffnesses(self, _1: Any, /) -> list[float]:
        """Stiffness of joints."""
    def stiffnessInterpolation(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Moves stiffness over time; waits."""
    def angleInterpolation(self, _1: Any, _2: Any, _3: Any, _4: bool, /) -> None:
        """Moves joints through angles at times; waits."""
    @overload
    def angleInterpolationWithSpeed(self, _1: Any, _2: Any, _3: float, /) -> None:
        """Moves joints at a part of full speed; waits."""
    @overload
    def angleInterpolationWithSpeed(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> None:
        """Moves joints at a part of full speed; waits."""
    def angleInterpolationBezier(self, _1: Sequence[str], _2: Any, _3: Any, /) -> None:
        """Moves joints along Bezier curves; waits."""
    def setAngles(self, _1: Any, _2: Any, _3: float, /) -> None:
        """Sends joints towards angles; does not wait."""
    def changeAngles(self, _1: Any, _2: Any, _3: float, /) -> None:
        """Sends joints by so much; does not wait."""
    def getAngles(self, _1: Any, _2: bool, /) -> list[float]:
        """Angles commanded or sensed."""
    def openHand(self, _1: str, /) -> None:
        """Opens a hand; waits."""
    def closeHand(self, _1: str, /) -> None:
        """Closes a hand; waits."""
    def getBodyNames(self, _1: str, /) -> list[str]:
        """Joints of a chain."""
    def getJointNames(self, _1: str, /) -> list[str]:
        """Old name of getBodyNames."""
    def getLimits(self, _1: str, /) -> Any:
        """Smallest, largest, speed, torque of joints."""
    @overload
    def move(self, _1: float, _2: float, _3: float, /) -> None:
        """Walks at a speed, m/s and rad/s."""
    @overload
    def move(self, _1: float, _2: float, _3: float, _4: Any, /) -> None:
        """Walks at a speed, m/s and rad/s."""
    @overload
    def moveTo(self, _1: float, _2: float, _3: float, /) -> None:
        """Walks to a place; waits."""
    @overload
    def moveTo(self, _1: float, _2: float, _3: float, _4: float, /) -> None:
        """Walks to a place; waits."""
    @overload
    def moveTo(self, _1: Any, /) -> None:
        """Walks to a place; waits."""
    @overload
    def moveTo(self, _1: float, _2: float, _3: float, _4: Any, /) -> None:
        """Walks to a place; waits."""
    @overload
    def moveTo(self, _1: Any, _2: Any, /) -> None:
        """Walks to a place; waits."""
    @overload
    def moveToward(self, _1: float, _2: float, _3: float, /) -> None:
        """Walks at a part of full speed."""
    @overload
    def moveToward(self, _1: float, _2: float, _3: float, _4: Any, /) -> None:
        """Walks at a part of full speed."""
    def stopMove(self) -> None:
        """Stops walking."""
    def moveInit(self) -> None:
        """Takes the walking posture."""
    def waitUntilMoveIsFinished(self) -> None:
        """Waits for the walk."""
    def moveIsActive(self) -> bool:
        """Whether it walks."""
    def getMoveConfig(self, _1: str, /) -> Any:
        """Walk settings."""
    def getRobotPosition(self, _1: bool, /) -> list[float]:
        """x, y, angle in the world."""
    def getNextRobotPosition(self) -> list[float]:
        """Position after the steps under way."""
    def getRobotVelocity(self) -> list[float]:
        """Speed."""
    def getMoveArmsEnabled(self, _1: str, /) -> bool:
        """Whether an arm swings while walking."""
    def setMoveArmsEnabled(self, _1: bool, _2: bool, /) -> None:
        """Whether the arms swing while walking."""
    @overload
    def walkTo(self, _1: float, _2: float, _3: float, /) -> None:
        """Old name of moveTo."""
    @overload
    def walkTo(self, _1: Any, /) -> None:
        """Old name of moveTo."""
    @overload
    def walkTo(self, _1: float, _2: float, _3: float, _4: Any, /) -> None:
        """Old name of moveTo."""
    @overload
    def walkTo(self, _1: Any, _2: Any, /) -> None:
        """Old name of moveTo."""
    def walkInit(self) -> None:
        """Old name of moveInit."""
    @overload
    def setWalkTargetVelocity(self, _1: float, _2: float, _3: float, _4: float, /) -> None:
        """Old form of moveToward."""
    @overload
    def setWalkTargetVelocity(self, _1: float, _2: float, _3: float, _4: float, _5: Any, /) -> None:
        """Old form of moveToward."""
    @overload
    def setWalkTargetVelocity(self, _1: float, _2: float, _3: float, _4: float, _5: Any, _6: Any, /) -> None:
        """Old form of moveToward."""
    def stopWalk(self) -> None:
        """Old name of stopMove."""
    def waitUntilWalkIsFinished(self) -> None:
        """Old name of waitUntilMoveIsFinished."""
    def walkIsActive(self) -> bool:
        """Old name of moveIsActive."""
    def setWalkArmsEnable(self, _1: Any, _2: Any, /) -> Any:
        """Old name of setMoveArmsEnabled."""
    def setWalkArmsEnabled(self, _1: bool, _2: bool, /) -> None:
        """Old name of setMoveArmsEnabled."""
    def getWalkArmsEnable(self) -> Any:
        """Old name of getMoveArmsEnabled."""
    def getWalkArmsEnabled(self) -> Any:
        """Old name of getMoveArmsEnabled."""
    @overload
    def setFootSteps(self, _1: Sequence[str], _2: Any, _3: Sequence[float], _4: bool, /) -> None:
        """Walks given steps: legs, steps, times, clear."""
    @overload
    def setFootSteps(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Walks given steps: legs, steps, times, clear."""
    @overload
    def setFootSteps(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Walks given steps: legs, steps, times, clear."""
    @overload
    def setFootStepsWithSpeed(self, _1: Sequence[str], _2: Any, _3: Sequence[float], _4: bool, /) -> None:
        """Walks given steps: legs, steps, parts of the speed, clear."""
    @overload
    def setFootStepsWithSpeed(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Walks given steps: legs, steps, parts of the speed, clear."""
    def getFootSteps(self) -> Any:
        """Steps under way."""
    def clearFootSteps(self) -> None:
        """Ends the steps."""
    def getFootGaitConfig(self, _1: str, /) -> Any:
        """Old name of getMoveConfig."""
    def killMove(self) -> None:
        """Ends the walk at once."""
    def killWalk(self) -> None:
        """Old name of killMove."""
    def setBreathEnabled(self, _1: str, _2: bool, /) -> None:
        """Breathes with a chain."""
    def getBreathEnabled(self, _1: str, /) -> bool:
        """Whether a chain breathes."""
    def setBreathConfig(self, _1: Any, /) -> None:
        """Speed and size of the breath."""
    def getBreathConfig(self) -> Any:
        """Speed and size of the breath."""
    def setIdlePostureEnabled(self, _1: str, _2: bool, /) -> None:
        """Goes to a neutral posture when idle."""
    def getIdlePostureEnabled(self, _1: str, /) -> bool:
        """Whether it does."""
    def setCollisionProtectionEnabled(self, _1: str, _2: bool, /) -> bool:
        """Keeps an arm from running into the body."""
    def getCollisionProtectionEnabled(self, _1: str, /) -> bool:
        """Whether it does."""
    def isCollision(self, _1: str, /) -> str:
        """Whether an arm runs into the body: none, near, collision."""
    def setExternalCollisionProtectionEnabled(self, _1: str, _2: bool, /) -> None:
        """Keeps from hitting other things."""
    def getExternalCollisionProtectionEnabled(self, _1: str, /) -> bool:
        """Whether it does."""
    @overload
    def getChainClosestObstaclePosition(self, _1: str, _2: int, /) -> list[float]:
        """Nearest obstacle of a chain."""
    @overload
    def getChainClosestObstaclePosition(self, _1: Any, /) -> list[float]:
        """Nearest obstacle of a chain."""
    def setOrthogonalSecurityDistance(self, _1: float, /) -> None:
        """Distance kept ahead, metres."""
    def getOrthogonalSecurityDistance(self) -> float:
        """Distance kept ahead, metres."""
    def setTangentialSecurityDistance(self, _1: float, /) -> None:
        """Distance kept at the sides, metres."""
    def getTangentialSecurityDistance(self) -> float:
        """Distance kept at the sides, metres."""
    def setFallManagerEnabled(self, _1: bool, /) -> None:
        """Protects itself when falling."""
    def getFallManagerEnabled(self) -> bool:
        """Whether it does."""
    def setSmartStiffnessEnabled(self, _1: bool, /) -> None:
        """Lowers torque when still."""
    def getSmartStiffnessEnabled(self) -> bool:
        """Whether it does."""
    def setPushRecoveryEnabled(self, _1: bool, /) -> None:
        """Steps when pushed."""
    def getPushRecoveryEnabled(self) -> bool:
        """Whether it does."""
    def setDiagnosisEffectEnabled(self, _1: bool, /) -> None:
        """Reacts to hardware faults."""
    def getDiagnosisEffectEnabled(self) -> bool:
        """Whether it does."""
    def getRobotConfig(self) -> Any:
        """What the body has."""
    def getSummary(self) -> str:
        """Joints, stiffness, commands and angles as text."""
    def getMass(self, _1: str, /) -> float:
        """Mass, kg."""
    def getCOM(self, _1: str, _2: int, _3: bool, /) -> list[float]:
        """Centre of mass."""
    def getSensorNames(self) -> list[str]:
        """Sensors."""
    def getMotionCycleTime(self) -> int:
        """Milliseconds of a cycle."""
    def setMotionConfig(self, _1: Any, /) -> None:
        """Motion settings."""
    def getTaskList(self) -> Any:
        """Motions under way."""
    def areResourcesAvailable(self, _1: Sequence[str], /) -> bool:
        """Whether joints are free."""
    def killTask(self, _1: int, /) -> bool:
        """Ends a motion."""
    def killTasksUsingResources(self, _1: Sequence[str], /) -> None:
        """Ends the motions of joints."""
    def killAll(self) -> None:
        """Ends every motion."""
    def positionInterpolation(self, _1: str, _2: int, _3: Any, _4: int, _5: Any, _6: bool, /) -> None:
        """Moves an end through positions; waits."""
    @overload
    def positionInterpolations(self, _1: Sequence[str], _2: int, _3: Any, _4: Any, _5: Any, _6: bool, /) -> None:
        """Moves several ends through positions; waits."""
    @overload
    def positionInterpolations(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> None:
        """Moves several ends through positions; waits."""
    @overload
    def positionInterpolations(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Moves several ends through positions; waits."""
    @overload
    def positionInterpolations(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, _6: Any, _7: Any, /) -> None:
        """Moves several ends through positions; waits."""
    def setPosition(self, _1: str, _2: int, _3: Sequence[float], _4: float, _5: int, /) -> None:
        """Sends an end towards a position."""
    def setPositions(self, _1: Any, _2: Any, _3: Any, _4: float, _5: Any, /) -> None:
        """Sends ends towards positions."""
    def changePosition(self, _1: str, _2: int, _3: Sequence[float], _4: float, _5: int, /) -> None:
        """Sends an end by so much."""
    def getPosition(self, _1: str, _2: int, _3: bool, /) -> list[float]:
        """Position of an end."""
    def transformInterpolation(self, _1: str, _2: int, _3: Any, _4: int, _5: Any, _6: bool, /) -> None:
        """Moves an end through transforms; waits."""
    @overload
    def transformInterpolations(self, _1: Sequence[str], _2: int, _3: Any, _4: Any, _5: Any, _6: bool, /) -> None:
        """Moves several ends through transforms; waits."""
    @overload
    def transformInterpolations(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> None:
        """Moves several ends through transforms; waits."""
    @overload
    def transformInterpolations(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Moves several ends through transforms; waits."""
    @overload
    def transformInterpolations(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, _6: Any, _7: Any, /) -> None:
        """Moves several ends through transforms; waits."""
    def setTransform(self, _1: str, _2: int, _3: Sequence[float], _4: float, _5: int, /) -> None:
        """Sends an end towards a transform."""
    def setTransforms(self, _1: Any, _2: Any, _3: Any, _4: float, _5: Any, /) -> None:
        """Sends ends towards transforms."""
    def changeTransform(self, _1: str, _2: int, _3: Sequence[float], _4: float, _5: int, /) -> None:
        """Sends an end by a transform."""
    def getTransform(self, _1: str, _2: int, _3: bool, /) -> list[float]:
        """Transform of an end."""
    def wbEnable(self, _1: bool, /) -> None:
        """Balances with the whole body."""
    def wbFootState(self, _1: str, _2: str, /) -> None:
        """How a foot is held: Fixed, Plane, Free."""
    def wbEnableBalanceConstraint(self, _1: bool, _2: str, /) -> None:
        """Keeps the balance."""
    @overload
    def wbGoToBalance(self, _1: str, _2: float, /) -> None:
        """Shifts the weight; waits."""
    @overload
    def wbGoToBalance(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Shifts the weight; waits."""
    def wbGoToBalanceWithSpeed(self, _1: str, _2: float, /) -> bool:
        """Shifts the weight at a part of full speed; waits; whether it is there."""
    def wbEnableEffectorControl(self, _1: str, _2: bool, /) -> None:
        """Leads an end."""
    def wbSetEffectorControl(self, _1: str, _2: Any, /) -> None:
        """Moves an end that is led."""
    def wbEnableEffectorOptimization(self, _1: str, _2: bool, /) -> None:
        """Optimises an end."""
    @overload
    def updateTrackerTarget(self, _1: float, _2: float, _3: int, _4: bool, /) -> None:
        """Moves the head towards a target."""
    @overload
    def updateTrackerTarget(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Moves the head towards a target."""
    @overload
    def updateTrackerTarget(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, _6: Any, /) -> None:
        """Moves the head towards a target."""
    def setOffsetFromFloor(self, _1: Any, /) -> Any:
        """Height of the floor."""
    def _setAnimationModeEnabled(self, _1: bool, /) -> None:
        """Undocumented."""
    def _lookAt(self, _1: Sequence[float], _2: int, _3: float, /) -> None:
        """Undocumented."""
    def _stopLookAt(self, _1: bool, /) -> None:
        """Undocumented."""
    def getManageWholeBody(self) -> Any:
        """Whether it balances the whole body."""

class ALRobotPosture(ALProxy):
    """Predefined postures."""
    def goToPosture(self, _1: str, _2: float, /) -> bool:
        """Goes to a posture; waits; whether it got there."""
    def applyPosture(self, _1: str, _2: float, /) -> bool:
        """Moves the joints to a posture without planning."""
    def stopMove(self) -> None:
        """Stops going."""
    def getPosture(self) -> str:
        """Posture it is in."""
    def getPostureFamily(self) -> str:
        """Family of the posture it is in."""
    def getPostureList(self) -> list[str]:
        """Every posture."""
    def getPostureFamilyList(self) -> list[str]:
        """Every family."""
    def setMaxTryNumber(self, _1: int, /) -> None:
        """How often to try."""

class ALMotionRecorder(ALProxy):
    """Records poses into which somebody brings the robot; nobody does here."""
    def startInteractiveRecording(self, _1: Sequence[str], _2: int, _3: bool, _4: int, /) -> None:
        """Records a pose at each touch."""
    def startPeriodicRecording(self, _1: Sequence[str], _2: int, _3: bool, _4: float, _5: Sequence[str], _6: Any, /) -> None:
        """Records a pose at each period."""
    def stopAndGetRecording(self) -> Any:
        """Joints and their angles."""

class ALRobotPose(ALProxy):
    """Postures, as NAOqi 1 names them."""
    def getActualPoseAndTime(self) -> Any:
        """Posture, and the seconds in it."""
    def getPoseNames(self) -> Any:
        """Every posture."""

class ALLocalization(ALProxy):
    """Finds its way home."""
    def clear(self, _1: Any, /) -> Any:
        """Forgets a place."""
    def getCurrentPanoramaDescriptor(self) -> Any:
        """What it sees around it."""
    @overload
    def getRobotOrientation(self) -> Any:
        """Its direction, from where it learned."""
    @overload
    def getRobotOrientation(self, _1: Any, /) -> Any:
        """Its direction, from where it learned."""
    @overload
    def getRobotPosition(self) -> Any:
        """Its place, from where it learned."""
    @overload
    def getRobotPosition(self, _1: Any, /) -> Any:
        """Its place, from where it learned."""
    def isDataAvailable(self) -> Any:
        """Whether a place is learned."""
    def isInCurrentHome(self) -> Any:
        """Whether it is home."""
    def load(self, _1: Any, /) -> Any:
        """Takes a place that was kept."""
    def save(self, _1: Any, /) -> Any:
        """Keeps the place under a name."""
    @overload
    def goToHome(self) -> Any:
        """Goes home; waits."""
    @overload
    def goToHome(self, _1: Any, /) -> Any:
        """Goes home; waits."""
    def learnHome(self) -> Any:
        """Learns where it stands."""
    def stopAll(self) -> Any:
        """Ends what it does."""

class ALNavigation(ALProxy):
    """Walks around obstacles."""
    @overload
    def navigateTo(self, _1: float, _2: float, /) -> bool:
        """Goes to a place around obstacles."""
    @overload
    def navigateTo(self, _1: float, _2: float, _3: float, /) -> bool:
        """Goes to a place around obstacles."""
    @overload
    def navigateTo(self, _1: float, _2: float, _3: Any, /) -> bool:
        """Goes to a place around obstacles."""
    @overload
    def navigateTo(self, _1: float, _2: float, _3: float, _4: Any, /) -> bool:
        """Goes to a place around obstacles."""
    def moveAlong(self, _1: Any, /) -> bool:
        """Moves along a trajectory."""
    @overload
    def moveTo(self, _1: float, _2: float, _3: float, /) -> None:
        """Goes to a place."""
    @overload
    def moveTo(self, _1: float, _2: float, _3: float, _4: Any, /) -> None:
        """Goes to a place."""
    def setSecurityDistance(self, _1: float, /) -> None:
        """Distance kept, metres."""
    def getSecurityDistance(self) -> float:
        """Distance kept, metres."""
    @overload
    def navigateToInMap(self, _1: float, _2: float, /) -> bool:
        """Goes to a place of the map."""
    @overload
    def navigateToInMap(self, _1: Any, /) -> bool:
        """Goes to a place of the map."""
    def explore(self, _1: float, /) -> int:
        """Makes a map."""
    @overload
    def saveExploration(self) -> str:
        """Keeps the map."""
    @overload
    def saveExploration(self, _1: Any, /) -> str:
        """Keeps the map."""
    def loadExploration(self, _1: str, /) -> bool:
        """Takes a map."""
    def stopExploration(self) -> None:
        """Ends making a map."""
    def startLocalization(self) -> None:
        """Starts to know where it is."""
    def stopLocalization(self) -> None:
        """Ends it."""
    @overload
    def relocalizeInMap(self) -> None:
        """Says where it is."""
    @overload
    def relocalizeInMap(self, _1: Any, /) -> None:
        """Says where it is."""
    def getRobotPositionInMap(self) -> Any:
        """Where it is in the map."""
    def getMetricalMap(self) -> Any:
        """The map."""
    def getExplorationPath(self) -> Any:
        """Way of the exploration."""
    def startFreeZoneUpdate(self) -> None:
        """Starts looking for free space."""
    def stopAndComputeFreeZone(self, _1: float, _2: float, /) -> Any:
        """Free space it found."""
    def findFreeZone(self, _1: float, _2: float, /) -> Any:
        """Looks for free space."""
    @overload
    def moveToward(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Moves at parts of the greatest speed: x, y, theta."""
    @overload
    def moveToward(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Moves at parts of the greatest speed: x, y, theta."""
    def stopNavigateTo(self) -> Any:
        """Ends navigateTo."""
    def getOrthogonalSecurityDistance(self) -> Any:
        """Distance it keeps ahead, metres."""
    def getTangentialSecurityDistance(self) -> Any:
        """Distance it keeps beside, metres."""
    def setOrthogonalSecurityDistance(self, _1: Any, /) -> Any:
        """Distance it keeps ahead, metres."""
    def setTangentialSecurityDistance(self, _1: Any, /) -> Any:
        """Distance it keeps beside, metres."""
    def resetSafetyDistances(self) -> Any:
        """Usual distances."""

class ALTracker(ALProxy):
    """Looks, points and moves at targets."""
    def track(self, _1: str, /) -> None:
        """Follows a target."""
    def trackEvent(self, _1: str, /) -> None:
        """Follows the position of an event."""
    def stopTracker(self) -> None:
        """Stops."""
    def registerTarget(self, _1: str, _2: Any, /) -> None:
        """Adds a target with its size."""
    def unregisterTarget(self, _1: str, /) -> None:
        """Removes a target."""
    def unregisterTargets(self, _1: Sequence[str], /) -> None:
        """Removes targets."""
    def unregisterAllTargets(self) -> None:
        """Removes every target."""
    def setEffector(self, _1: str, /) -> None:
        """Arms to point with: Arms, LArm, RArm, None."""
    def getEffector(self) -> str:
        """Arms to point with."""
    def setRelativePosition(self, _1: Any, /) -> None:
        """Where to stay from the target."""
    def getRelativePosition(self) -> Any:
        """Where to stay from the target."""
    def setMode(self, _1: str, /) -> None:
        """Head, WholeBody or Move."""
    def getMode(self) -> str:
        """Head, WholeBody or Move."""
    def getAvailableModes(self) -> list[str]:
        """Every mode."""
    def getActiveTarget(self) -> str:
        """Target it follows."""
    def getRegisteredTargets(self) -> list[str]:
        """Targets."""
    def getSupportedTargets(self) -> list[str]:
        """Targets it can follow."""
    def getManagedTargets(self) -> list[str]:
        """Targets."""
    def getTargetNames(self) -> list[str]:
        """Targets it can follow."""
    @overload
    def getTargetPosition(self) -> list[float]:
        """Where the target is."""
    @overload
    def getTargetPosition(self, _1: int, /) -> list[float]:
        """Where the target is."""
    def isActive(self) -> bool:
        """Whether it follows."""
    def isNewTargetDetected(self) -> bool:
        """Whether it has seen the target again."""
    def isTargetLost(self) -> bool:
        """Whether it lost the target."""
    def isSearchEnabled(self) -> bool:
        """Whether it searches."""
    def toggleSearch(self, _1: bool, /) -> None:
        """Whether to search."""
    def setMaximumDistanceDetection(self, _1: float, /) -> None:
        """How far it sees, metres."""
    def getMaximumDistanceDetection(self) -> float:
        """How far it sees, metres."""
    def setTimeOut(self, _1: int, /) -> None:
        """Milliseconds until a target counts as lost."""
    def getTimeOut(self) -> int:
        """Milliseconds until a target counts as lost."""
    def setMaximumVelocity(self, _1: float, /) -> None:
        """Speed of the walk."""
    def setMaximumAcceleration(self, _1: float, /) -> None:
        """Acceleration of the walk."""
    @overload
    def lookAt(self, _1: Sequence[float], _2: float, _3: bool, /) -> None:
        """Looks at a point."""
    @overload
    def lookAt(self, _1: Sequence[float], _2: int, _3: float, _4: bool, /) -> None:
        """Looks at a point."""
    @overload
    def lookAt(self, _1: Any, _2: Any, /) -> None:
        """Looks at a point."""
    @overload
    def pointAt(self, _1: str, _2: Sequence[float], _3: float, /) -> None:
        """Points at a point."""
    @overload
    def pointAt(self, _1: str, _2: Sequence[float], _3: int, _4: float, /) -> None:
        """Points at a point."""
    def addEffector(self, _1: str, /) -> None:
        """Adds an arm."""
    def removeEffector(self, _1: str, /) -> None:
        """Removes an arm."""
    def addTarget(self, _1: str, _2: Any, /) -> None:
        """Old name of registerTarget."""
    def removeTarget(self, _1: str, /) -> None:
        """Old name of unregisterTarget."""
    def removeAllTargets(self) -> None:
        """Old name of unregisterAllTargets."""
    def setExtractorPeriod(self, _1: str, _2: int, /) -> None:
        """Period of a target's extractor."""
    def getExtractorPeriod(self, _1: str, /) -> int:
        """Period of a target's extractor."""
    def getMaximumAcceleration(self) -> Any:
        """Greatest acceleration."""
    def getMaximumVelocity(self) -> Any:
        """Greatest velocity."""
    def getMoveConfig(self) -> Any:
        """Settings of its steps."""
    def setMoveConfig(self, _1: Any, /) -> Any:
        """Settings of its steps."""
    def initialize(self) -> Any:
        """Usual settings."""
    @overload
    def setTargetInfo(self) -> Any:
        """What is known of a target."""
    @overload
    def setTargetInfo(self, _1: Any, /) -> Any:
        """What is known of a target."""
    @overload
    def setTargetInfo(self, _1: Any, _2: Any, /) -> Any:
        """What is known of a target."""
    def getRobotPosition(self) -> Any:
        """Where it stands."""
    def isNewReady(self) -> Any:
        """Whether there is a new target position."""

class ALTextToSpeech(ALProxy):
    """Speaks."""
    @overload
    def say(self, _1: str, /) -> None:
        """Speaks; waits."""
    @overload
    def say(self, _1: str, _2: str, /) -> None:
        """Speaks; waits."""
    def sayToFile(self, _1: str, _2: str, /) -> None:
        """Speaks into a file."""
    def sayToFileAndPlay(self, _1: str, /) -> None:
        """Speaks into a file and plays it."""
    def stopAll(self) -> None:
        """Ends speaking."""
    def setLanguage(self, _1: str, /) -> None:
        """Language, e.g. English."""
    def getLanguage(self) -> str:
        """Language."""
    def getAvailableLanguages(self) -> list[str]:
        """Languages it has."""
    def getSupportedLanguages(self) -> list[str]:
        """Languages there are."""
    def setVoice(self, _1: str, /) -> None:
        """Voice."""
    def getVoice(self) -> str:
        """Voice."""
    def getAvailableVoices(self) -> list[str]:
        """Voices."""
    def setVolume(self, _1: float, /) -> None:
        """Loudness, 0…1."""
    def getVolume(self) -> float:
        """Loudness, 0…1."""
    def setParameter(self, _1: str, _2: float, /) -> None:
        """pitchShift, doubleVoice, speed …."""
    def getParameter(self, _1: str, /) -> float:
        """Value of a parameter."""
    def resetSpeed(self) -> None:
        """Usual speed."""
    def setLanguageDefaultVoice(self, _1: str, _2: str, /) -> None:
        """Voice of a language."""
    def enableNotifications(self) -> None:
        """Raises events about words."""
    def disableNotifications(self) -> None:
        """Raises none."""
    def loadVoicePreference(self, _1: str, /) -> None:
        """Takes parameters from a file."""
    def locale(self) -> str:
        """Language and country."""
    @overload
    def addToDictionary(self, _1: str, _2: str, /) -> bool:
        """Says how a word is spoken."""
    @overload
    def addToDictionary(self, _1: str, _2: str, _3: str, _4: str, _5: str, /) -> bool:
        """Says how a word is spoken."""
    @overload
    def addToDictionary(self, _1: Any, /) -> bool:
        """Says how a word is spoken."""
    @overload
    def addToDictionary(self, _1: Any, _2: Any, _3: Any, /) -> bool:
        """Says how a word is spoken."""
    @overload
    def addToDictionary(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> bool:
        """Says how a word is spoken."""
    @overload
    def deleteFromDictionary(self, _1: str, /) -> bool:
        """Forgets it."""
    @overload
    def deleteFromDictionary(self, _1: str, _2: str, /) -> bool:
        """Forgets it."""
    @overload
    def showDictionary(self) -> None:
        """Words of the dictionary."""
    @overload
    def showDictionary(self, _1: Any, /) -> None:
        """Words of the dictionary."""
    def isAudioOutRemote(self) -> Any:
        """Whether another robot speaks."""
    def setLanguagePreferredVoice(self, _1: Any, _2: Any, /) -> Any:
        """Voice of a language."""
    def reset(self) -> Any:
        """Usual settings."""
    @overload
    def setDefaultVoiceParameter(self) -> Any:
        """Usual value of a voice parameter."""
    @overload
    def setDefaultVoiceParameter(self, _1: Any, /) -> Any:
        """Usual value of a voice parameter."""
    @overload
    def setDefaultVoiceParameter(self, _1: Any, _2: Any, /) -> Any:
        """Usual value of a voice parameter."""
    @overload
    def setDefaultVoiceParameter(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Usual value of a voice parameter."""
    synchroTTS: Any
    languageTTS: Any

class ALAnimatedSpeech(ALProxy):
    """Speaks and gestures."""
    @overload
    def say(self, _1: str, /) -> None:
        """Speaks with gestures; waits."""
    @overload
    def say(self, _1: str, _2: Any, /) -> None:
        """Speaks with gestures; waits."""
    def setBodyLanguageMode(self, _1: int, /) -> None:
        """0 disabled, 1 random, 2 contextual."""
    def getBodyLanguageMode(self) -> int:
        """0 disabled, 1 random, 2 contextual."""
    def setBodyLanguageModeFromStr(self, _1: str, /) -> None:
        """disabled, random or contextual."""
    def getBodyLanguageModeToStr(self) -> str:
        """disabled, random or contextual."""
    def setBodyLanguageEnabled(self, _1: bool, /) -> None:
        """Deprecated."""
    def isBodyLanguageEnabled(self) -> bool:
        """Deprecated."""
    def setBodyTalkEnabled(self, _1: bool, /) -> None:
        """Deprecated."""
    def isBodyTalkEnabled(self) -> bool:
        """Deprecated."""
    def addTagsToWords(self, _1: Any, /) -> None:
        """Gestures for words."""
    def declareAnimationsPackage(self, _1: str, /) -> None:
        """Animations of a package."""
    def declareTagForAnimations(self, _1: Any, /) -> None:
        """Animations of a tag."""
    def declareAnimationsTags(self, _1: Any, /) -> Any:
        """Tags of animations."""
    def isDefaultAnimationsEnabled(self) -> Any:
        """Whether the stock gestures are used."""
    @overload
    def stopAll(self) -> Any:
        """Ends what is said."""
    @overload
    def stopAll(self, _1: Any, /) -> Any:
        """Ends what is said."""
    def loadAnimations(self, _1: Any, /) -> Any:
        """Loads animations."""

class ALSpeechRecognition(Extractor):
    """Understands words."""
    def setVocabulary(self, _1: Sequence[str], _2: bool, /) -> None:
        """Words and whether to spot them in sentences."""
    @overload
    def setWordListAsVocabulary(self, _1: Any, /) -> Any:
        """Words."""
    @overload
    def setWordListAsVocabulary(self, _1: Any, _2: Any, /) -> Any:
        """Words."""
    def setLanguage(self, _1: str, /) -> None:
        """Language."""
    def getLanguage(self) -> str:
        """Language."""
    def getAvailableLanguages(self) -> list[str]:
        """Languages."""
    def setVisualExpression(self, _1: bool, /) -> None:
        """Shows with LEDs that it listens."""
    def setVisualExpressionMode(self, _1: Any, /) -> Any:
        """Which LEDs."""
    def setAudioExpression(self, _1: bool, /) -> None:
        """Beeps when it listens."""
    def getAudioExpression(self) -> Any:
        """Whether it beeps."""
    def setParameter(self, _1: str, _2: float, /) -> None:
        """Sensitivity, NbHypotheses."""
    def getParameter(self, _1: Any, /) -> Any:
        """Value of a parameter."""
    @overload
    def pause(self) -> None:
        """Pauses."""
    @overload
    def pause(self, _1: bool, /) -> None:
        """Pauses."""
    def pushContexts(self) -> Any:
        """Keeps the words aside."""
    def popContexts(self) -> Any:
        """Takes them back."""
    def removeAllContext(self) -> None:
        """Forgets every context."""
    def addContext(self, _1: Any, _2: Any, /) -> Any:
        """Adds a context."""
    def removeContext(self, _1: Any, /) -> Any:
        """Removes a context."""
    def activateRule(self, _1: Any, _2: Any, /) -> Any:
        """Uses a rule."""
    def deactivateRule(self, _1: Any, _2: Any, /) -> Any:
        """No longer uses it."""
    def activateAllRules(self, _1: Any, /) -> Any:
        """Uses every rule."""
    def deactivateAllRules(self, _1: Any, /) -> Any:
        """Uses no rule."""
    def addWordListToSlot(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Fills a slot."""
    def removeWordListFromSlot(self, _1: Any, _2: Any, /) -> Any:
        """Empties a slot."""
    def getRules(self, _1: Any, _2: Any, /) -> Any:
        """Rules of a context."""
    def compile(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Compiles a grammar."""
    def loadVocabulary(self, _1: Any, /) -> Any:
        """Words from a file."""
    def saveContextSet(self, _1: Any, /) -> Any:
        """Keeps the contexts."""
    def loadContextSet(self, _1: Any, /) -> Any:
        """Takes the contexts."""
    @overload
    def eraseContextSet(self) -> Any:
        """Forgets the contexts."""
    @overload
    def eraseContextSet(self, _1: Any, /) -> Any:
        """Forgets the contexts."""
    @overload
    def enableVoiceActivityDetection(self) -> Any:
        """Hears when somebody speaks."""
    @overload
    def enableVoiceActivityDetection(self, _1: Any, /) -> Any:
        """Hears when somebody speaks."""
    def _enableFreeSpeechToText(self) -> Any:
        """Undocumented."""
    def addWordListToVocabulary(self, _1: Any, _2: Any, /) -> Any:
        """Adds words: name, words."""
    @overload
    def subscribe(self, _1: Any, /) -> Any:
        """Starts to listen for a subscriber: name, period, precision."""
    @overload
    def subscribe(self, _1: Any, _2: Any, /) -> Any:
        """Starts to listen for a subscriber: name, period, precision."""
    @overload
    def subscribe(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Starts to listen for a subscriber: name, period, precision."""
    def getVisualExpression(self) -> Any:
        """Whether the eyes show that it listens."""
    def setLanguageModel(self, _1: Any, /) -> Any:
        """Language model."""

class ALDialog(ALProxy):
    """Talks by QiChat topics."""
    def loadTopic(self, _1: str, /) -> str:
        """Loads a topic file; its name."""
    def loadTopicContent(self, _1: str, /) -> str:
        """Loads a topic from text; its name."""
    def unloadTopic(self, _1: str, /) -> None:
        """Unloads a topic."""
    def activateTopic(self, _1: str, /) -> None:
        """Uses a topic."""
    def deactivateTopic(self, _1: str, /) -> None:
        """No longer uses it."""
    def subscribe(self, _1: str, /) -> None:
        """Starts the dialog."""
    def unsubscribe(self, _1: str, /) -> None:
        """Ends it."""
    def setLanguage(self, _1: str, /) -> None:
        """Language."""
    def getLanguage(self) -> str:
        """Language."""
    def getActivatedTopics(self) -> list[str]:
        """Topics in use."""
    def getLoadedTopics(self, _1: str, /) -> list[str]:
        """Topics of a language."""
    def getAllLoadedTopics(self) -> list[str]:
        """Every topic."""
    def setFocus(self, _1: str, /) -> None:
        """Topic to begin with."""
    def getFocus(self) -> str:
        """Topic in focus."""
    def forceOutput(self) -> None:
        """Says a proposal."""
    def forceInput(self, _1: str, /) -> None:
        """Takes a text as heard."""
    def tell(self, _1: str, /) -> None:
        """Takes a text as heard."""
    def say(self, _1: str, _2: str, /) -> None:
        """Says a text of a topic."""
    def gotoTag(self, _1: str, _2: str, /) -> None:
        """Goes to a tag of a topic."""
    def gotoTopic(self, _1: str, /) -> None:
        """Focus to a topic, and its next proposal."""
    @overload
    def setConcept(self, _1: str, _2: str, _3: Sequence[str], /) -> None:
        """Words of a dynamic concept."""
    @overload
    def setConcept(self, _1: str, _2: str, _3: Sequence[str], _4: bool, /) -> None:
        """Words of a dynamic concept."""
    def addToConcept(self, _1: str, _2: str, _3: Sequence[str], /) -> None:
        """Adds words."""
    def getConcept(self, _1: str, _2: str, /) -> list[str]:
        """Words of a concept."""
    def setConceptKeepInCache(self, _1: str, _2: str, _3: Sequence[str], /) -> None:
        """Words of a concept, kept."""
    def setASRConfidenceThreshold(self, _1: float, /) -> None:
        """How sure it must be."""
    def getASRConfidenceThreshold(self) -> float:
        """How sure it must be."""
    @overload
    def setConfidenceThreshold(self, _1: str, _2: float, /) -> None:
        """How sure it must be, by strategy."""
    @overload
    def setConfidenceThreshold(self, _1: str, _2: float, _3: str, /) -> None:
        """How sure it must be, by strategy."""
    def getConfidenceThreshold(self, _1: str, _2: str, /) -> float:
        """How sure it must be, by strategy."""
    def getAllConfidenceThresholds(self) -> Any:
        """Every threshold that was set."""
    def removeAllLanguageThresholds(self) -> None:
        """Forgets thresholds by language."""
    def setNumberOfScopes(self, _1: int, /) -> None:
        """How far back it understands."""
    def setVariablePath(self, _1: str, _2: str, _3: str, /) -> None:
        """Memory key of a variable: topic, variable, key."""
    def setAnimatedSpeechConfiguration(self, _1: Any, /) -> None:
        """Gestures."""
    def getAnimatedSpeechConfiguration(self) -> Any:
        """Gestures."""
    def startPush(self) -> None:
        """Says a proposal after each answer."""
    def stopPush(self) -> None:
        """Ends it."""
    def runDialog(self) -> None:
        """Starts the dialog of all topics."""
    def stopDialog(self) -> None:
        """Ends it."""
    def stopTopics(self, _1: Sequence[str], /) -> None:
        """Deactivates topics."""
    def runTopics(self, _1: Sequence[str], /) -> list[str]:
        """Loads and activates topic files; their names."""
    def openSession(self, _1: int, /) -> None:
        """Talks with a user."""
    def closeSession(self) -> None:
        """Ends that."""
    @overload
    def getUserData(self, _1: str, _2: int, /) -> str:
        """What is known of a user."""
    @overload
    def getUserData(self, _1: Any, /) -> str:
        """What is known of a user."""
    @overload
    def getUserData(self, _1: Any, _2: Any, _3: Any, /) -> str:
        """What is known of a user."""
    def setUserData(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Remembers something of a user."""
    def getUserDataList(self, _1: int, /) -> list[str]:
        """What is known of a user."""
    def getUserList(self) -> list[int]:
        """Users."""
    def removeUserData(self, _1: int, /) -> None:
        """Forgets a user."""
    def insertUserData(self, _1: str, _2: str, _3: int, /) -> None:
        """Remembers something of a user."""
    def clearConcepts(self) -> None:
        """Empties dynamic concepts."""
    def resetAll(self) -> None:
        """Makes proposals sayable again."""
    def resetLanguage(self) -> None:
        """Language of the robot."""
    def deactivateTag(self, _1: str, _2: str, /) -> None:
        """Rules of a tag are off."""
    def activateTag(self, _1: str, _2: str, /) -> None:
        """Rules of a tag are on."""
    def addFallback(self, _1: str, _2: str, /) -> None:
        """Service that answers what no rule does: language, service."""
    def removeFallback(self, _1: str, _2: str, /) -> None:
        """No longer asks it."""
    def setDelay(self, _1: str, _2: int, /) -> None:
        """How long an event waits, ms."""
    def noPick(self, _1: str, /) -> None:
        """Does not pick a topic."""
    @overload
    def fallback(self) -> Any:
        """What to say when nothing matches."""
    @overload
    def fallback(self, _1: Any, /) -> Any:
        """What to say when nothing matches."""
    @overload
    def fallback(self, _1: Any, _2: Any, /) -> Any:
        """What to say when nothing matches."""
    def compileAll(self) -> None:
        """Compiles every topic."""
    @overload
    def createContext(self) -> Any:
        """Makes the speech context."""
    @overload
    def createContext(self, _1: Any, /) -> Any:
        """Makes the speech context."""
    def deleteSerializationFiles(self) -> None:
        """Deletes compiled topics."""
    def mute(self, _1: bool, /) -> None:
        """Says nothing."""
    def generateSentences(self, _1: str, _2: str, _3: str, /) -> None:
        """Sentences a topic understands."""
    def enableTriggerSentences(self, _1: bool, /) -> None:
        """Starts behaviors by sentences."""
    def enableCategory(self, _1: bool, /) -> None:
        """Uses a category."""
    def enableSimulatedApps(self, _1: bool, /) -> None:
        """Pretends to start behaviors."""
    def endTutorial(self) -> Any:
        """Ends the tutorial."""
    @overload
    def wordRecognized(self, _1: Any, /) -> None:
        """Internal."""
    @overload
    def wordRecognized(self, _1: str, _2: Any, _3: str, /) -> None:
        """Internal."""
    @overload
    def wordRecognized(self, _1: Any, _2: Any, /) -> None:
        """Internal."""
    @overload
    def dialogAnswered(self, _1: Any, /) -> None:
        """Internal."""
    @overload
    def dialogAnswered(self, _1: str, _2: Any, _3: str, /) -> None:
        """Internal."""
    @overload
    def dialogAnswered(self, _1: Any, _2: Any, /) -> None:
        """Internal."""
    def _preloadMain(self) -> None:
        """Undocumented."""
    def _runMain(self) -> None:
        """Undocumented."""
    def _stopMain(self) -> None:
        """Undocumented."""
    def _addDialogFromTopicBox(self, _1: str, _2: str, /) -> str:
        """Undocumented."""
    def getTopicLanguage(self, _1: Any, /) -> Any:
        """Language of a topic."""
    def gotoTagFocus(self, _1: Any, _2: Any, /) -> Any:
        """Goes to a tag, with the focus."""
    def isListening(self) -> Any:
        """Whether it listens."""
    def setPushMode(self, _1: Any, /) -> Any:
        """When it speaks first."""
    def addBlockingEvent(self, _1: Any, /) -> Any:
        """Event that cuts the speech."""
    @overload
    def applyUserData(self, _1: Any, /) -> Any:
        """Uses what is known of a user."""
    @overload
    def applyUserData(self, _1: Any, _2: Any, /) -> Any:
        """Uses what is known of a user."""
    def compileBundle(self, _1: Any, /) -> Any:
        """Compiles the topics of a group."""
    def connectionChanged(self, _1: Any, /) -> Any:
        """Internal."""
    def deleteUserData(self, _1: Any, /) -> Any:
        """Forgets a user."""
    def enableSendingLogToCloud(self, _1: Any, /) -> Any:
        """Sends what is said, or not."""
    @overload
    def preloadMain(self) -> Any:
        """Loads the topics of all applications."""
    @overload
    def preloadMain(self, _1: Any, /) -> Any:
        """Loads the topics of all applications."""
    def removeBlockingEvent(self, _1: Any, /) -> Any:
        """Event that no longer cuts it."""
    def resumeDialog(self) -> Any:
        """Continues the dialog."""
    def pauseDialog(self) -> Any:
        """Pauses the dialog."""
    def startUpdate(self, _1: Any, /) -> Any:
        """Loads topics that have changed."""
    def getQueryList(self) -> Any:
        """Sentences it understood."""
    def getOpenSession(self) -> Any:
        """User it talks with."""
    def isContentNeedsUpdate(self) -> Any:
        """Whether topics have changed."""

class ALAudioPlayer(ALProxy):
    """Plays sound files."""
    @overload
    def playFile(self, _1: str, /) -> None:
        """Plays a file; waits."""
    @overload
    def playFile(self, _1: str, _2: float, _3: float, /) -> None:
        """Plays a file; waits."""
    @overload
    def playFile(self, _1: Any, _2: Any, /) -> None:
        """Plays a file; waits."""
    @overload
    def playFileInLoop(self, _1: str, /) -> None:
        """Plays a file again and again."""
    @overload
    def playFileInLoop(self, _1: str, _2: float, _3: float, /) -> None:
        """Plays a file again and again."""
    @overload
    def playFileInLoop(self, _1: Any, _2: Any, /) -> None:
        """Plays a file again and again."""
    @overload
    def playFileFromPosition(self, _1: str, _2: float, /) -> None:
        """Plays a file from a second on; waits."""
    @overload
    def playFileFromPosition(self, _1: str, _2: float, _3: float, _4: float, /) -> None:
        """Plays a file from a second on; waits."""
    @overload
    def playFileFromPosition(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Plays a file from a second on; waits."""
    def loadFile(self, _1: str, /) -> int:
        """Loads a file; its number."""
    def unloadFile(self, _1: int, /) -> None:
        """Unloads it."""
    def unloadAllFiles(self) -> None:
        """Unloads every file."""
    @overload
    def play(self, _1: int, /) -> None:
        """Plays a loaded file; waits."""
    @overload
    def play(self, _1: int, _2: float, _3: float, /) -> None:
        """Plays a loaded file; waits."""
    @overload
    def play(self, _1: Any, _2: Any, /) -> None:
        """Plays a loaded file; waits."""
    @overload
    def playInLoop(self, _1: Any, /) -> Any:
        """Plays a loaded file again and again."""
    @overload
    def playInLoop(self, _1: Any, _2: Any, /) -> Any:
        """Plays a loaded file again and again."""
    @overload
    def playInLoop(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Plays a loaded file again and again."""
    def pause(self, _1: int, /) -> None:
        """Pauses or goes on."""
    def stopAll(self) -> None:
        """Ends every sound."""
    def setVolume(self, _1: Any, _2: Any, /) -> Any:
        """Loudness of a file."""
    def getVolume(self, _1: Any, /) -> Any:
        """Loudness of a file."""
    def setMasterVolume(self, _1: float, /) -> None:
        """Loudness."""
    def getMasterVolume(self) -> float:
        """Loudness."""
    def setPanorama(self, _1: Any, /) -> Any:
        """Left −1 … right 1."""
    def getFileLength(self, _1: int, /) -> float:
        """Seconds of a file."""
    def getCurrentPosition(self, _1: Any, /) -> Any:
        """Second it plays."""
    def goTo(self, _1: Any, _2: Any, /) -> Any:
        """Goes to a second."""
    def getLoadedFilesIds(self) -> Any:
        """Numbers of the loaded files."""
    def getLoadedFilesNames(self) -> Any:
        """Names of the loaded files."""
    def playSine(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Plays a tone: Hz, gain, panorama, seconds."""
    def playWebStream(self, _1: str, _2: float, _3: float, /) -> None:
        """Plays a stream."""
    @overload
    def playSoundSetFile(self, _1: str, /) -> None:
        """Plays a file of a sound set."""
    @overload
    def playSoundSetFile(self, _1: str, _2: str, /) -> None:
        """Plays a file of a sound set."""
    @overload
    def playSoundSetFile(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Plays a file of a sound set."""
    @overload
    def playSoundSetFile(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> None:
        """Plays a file of a sound set."""
    @overload
    def playSoundSetFile(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Plays a file of a sound set."""
    @overload
    def playSoundSetFileInLoop(self, _1: Any, /) -> Any:
        """Plays it again and again."""
    @overload
    def playSoundSetFileInLoop(self, _1: Any, _2: Any, /) -> Any:
        """Plays it again and again."""
    @overload
    def playSoundSetFileInLoop(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Plays it again and again."""
    @overload
    def playSoundSetFileInLoop(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Plays it again and again."""
    @overload
    def playSoundSetFileInLoop(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> Any:
        """Plays it again and again."""
    def loadSoundSet(self, _1: str, /) -> None:
        """Loads a sound set."""
    def unloadSoundSet(self, _1: Any, /) -> Any:
        """Unloads it."""
    def getInstalledSoundSetsList(self) -> list[str]:
        """Sound sets."""
    def getLoadedSoundSetsList(self) -> Any:
        """Loaded sound sets."""
    def getSoundSetFileNames(self, _1: Any, /) -> Any:
        """Files of a sound set."""
    def getSoundSetLocation(self, _1: Any, /) -> Any:
        """Folder of a sound set."""
    def isSoundSetInstalled(self, _1: Any, /) -> Any:
        """Whether there is a sound set."""
    def isSoundSetFileInstalled(self, _1: Any, _2: Any, /) -> Any:
        """Whether it has a file."""
    def isSoundSetLoaded(self, _1: Any, /) -> Any:
        """Whether it is loaded."""

class ALLeds(ALProxy):
    """Lights."""
    def on(self, _1: str, /) -> None:
        """Lights a group."""
    def off(self, _1: str, /) -> None:
        """Darkens a group."""
    def fade(self, _1: str, _2: float, _3: float, /) -> None:
        """Fades a group to a brightness; waits."""
    @overload
    def fadeRGB(self, _1: str, _2: float, _3: float, _4: float, _5: float, /) -> None:
        """Fades a group to a colour; waits."""
    @overload
    def fadeRGB(self, _1: str, _2: int, _3: float, /) -> None:
        """Fades a group to a colour; waits."""
    @overload
    def fadeRGB(self, _1: str, _2: str, _3: float, /) -> None:
        """Fades a group to a colour; waits."""
    def fadeListRGB(self, _1: str, _2: Any, _3: Any, /) -> None:
        """Fades a group through colours; waits."""
    def setIntensity(self, _1: str, _2: float, /) -> None:
        """Brightness at once."""
    def getIntensity(self, _1: str, /) -> Any:
        """Brightness."""
    def reset(self, _1: str, /) -> None:
        """Usual state of a group."""
    def randomEyes(self, _1: float, /) -> None:
        """Random colours for some seconds."""
    def rasta(self, _1: float, /) -> None:
        """Colours for some seconds."""
    def rotateEyes(self, _1: int, _2: float, _3: float, /) -> None:
        """Turns a colour round the eyes."""
    def earLedsSetAngle(self, _1: int, _2: float, _3: bool, /) -> None:
        """Lights the ears at an angle."""
    def createGroup(self, _1: str, _2: Sequence[str], /) -> None:
        """Makes a group."""
    def listGroups(self) -> list[str]:
        """Every group."""
    def listGroup(self, _1: str, /) -> list[str]:
        """LEDs of a group."""
    def listLEDs(self) -> list[str]:
        """Every LED."""
    def listLED(self, _1: Any, /) -> Any:
        """LEDs of a group, before NAOqi 2."""
    def set(self, _1: Any, _2: Any, /) -> Any:
        """Brightness of a group, before NAOqi 2."""

class ALPhotoCapture(ALProxy):
    """Takes pictures."""
    @overload
    def takePicture(self, _1: str, _2: str, /) -> Any:
        """Takes one picture: folder, name, overwrite."""
    @overload
    def takePicture(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Takes one picture: folder, name, overwrite."""
    @overload
    def takePictures(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Takes several."""
    @overload
    def takePictures(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Takes several."""
    def setResolution(self, _1: int, /) -> None:
        """Size."""
    def getResolution(self) -> Any:
        """Size."""
    def setCameraID(self, _1: int, /) -> None:
        """Camera 0 top, 1 bottom."""
    def getCameraID(self) -> Any:
        """Camera."""
    def setCamera(self, _1: Any, /) -> Any:
        """Camera."""
    def setPictureFormat(self, _1: str, /) -> None:
        """jpg, png …."""
    def getPictureFormat(self) -> Any:
        """Format."""
    def setColorSpace(self, _1: Any, /) -> Any:
        """Kind of picture."""
    def getColorSpace(self) -> Any:
        """Kind of picture."""
    def setCaptureInterval(self, _1: Any, /) -> Any:
        """Milliseconds between pictures."""
    def getCaptureInterval(self) -> Any:
        """Milliseconds between pictures."""
    def setHalfPressEnabled(self, _1: Any, /) -> Any:
        """Keeps the camera ready."""
    def isHalfPressEnabled(self) -> Any:
        """Whether it does."""
    def halfPress(self) -> Any:
        """Makes the camera ready."""
    def isHalfPressed(self) -> Any:
        """Whether the button is half pressed."""

class ALVideoRecorder(ALProxy):
    """Records video."""
    @overload
    def startRecording(self, _1: str, _2: str, /) -> None:
        """Records: folder, name, overwrite."""
    @overload
    def startRecording(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Records: folder, name, overwrite."""
    def stopRecording(self) -> Any:
        """Ends it."""
    def isRecording(self) -> Any:
        """Whether it records."""
    def setResolution(self, _1: Any, /) -> Any:
        """Size."""
    def setCameraID(self, _1: Any, /) -> Any:
        """Camera."""
    def setFrameRate(self, _1: Any, /) -> Any:
        """Pictures a second."""
    def setVideoFormat(self, _1: Any, /) -> Any:
        """Format."""
    def setColorSpace(self, _1: Any, /) -> Any:
        """Kind of picture."""
    @overload
    def startVideoRecord(self, _1: Any, /) -> Any:
        """Records to a file."""
    @overload
    def startVideoRecord(self, _1: Any, _2: Any, /) -> Any:
        """Records to a file."""
    def stopVideoRecord(self) -> Any:
        """Ends recording; frames and file."""
    def getCameraID(self) -> Any:
        """Camera."""
    def getFrameRate(self) -> Any:
        """Pictures a second."""
    def getResolution(self) -> Any:
        """Resolution."""
    def getVideoFormat(self) -> Any:
        """Format."""

class ALVideoDevice(ALProxy):
    """Cameras."""
    @overload
    def subscribe(self, _1: str, _2: int, _3: int, _4: int, /) -> str:
        """Takes pictures; name of the subscription."""
    @overload
    def subscribe(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> str:
        """Takes pictures; name of the subscription."""
    def subscribeCamera(self, _1: str, _2: int, _3: int, _4: int, _5: int, /) -> str:
        """Takes pictures of a camera."""
    def unsubscribe(self, _1: str, /) -> bool:
        """Ends it."""
    def unsubscribeAllInstances(self, _1: str, /) -> None:
        """Ends all of a name."""
    def getSubscribers(self) -> Any:
        """Subscriptions."""
    def getImageRemote(self, _1: str, /) -> Any:
        """Picture with its data."""
    def getImageLocal(self, _1: str, /) -> Any:
        """Picture in the robot; here the same."""
    def getDirectRawImageRemote(self, _1: str, /) -> Any:
        """Picture in YUV422."""
    def releaseImage(self, _1: str, /) -> bool:
        """Gives a picture back."""
    @overload
    def setActiveCamera(self, _1: int, /) -> bool:
        """Camera 0 top, 1 bottom."""
    @overload
    def setActiveCamera(self, _1: str, _2: int, /) -> bool:
        """Camera 0 top, 1 bottom."""
    @overload
    def getActiveCamera(self) -> int:
        """Camera."""
    @overload
    def getActiveCamera(self, _1: str, /) -> int:
        """Camera."""
    def setParam(self, _1: int, _2: int, /) -> None:
        """Sets a parameter of the active camera."""
    def getParam(self, _1: int, /) -> int:
        """Parameter of the active camera."""
    def setParameter(self, _1: int, _2: int, _3: int, /) -> bool:
        """Sets a parameter of a camera."""
    def setAllParametersToDefault(self, _1: int, /) -> bool:
        """Usual parameters."""
    def setParamDefault(self, _1: int, /) -> None:
        """Usual parameter of the active camera."""
    def getParameter(self, _1: int, _2: int, /) -> int:
        """Value of a parameter."""
    def getParameterRange(self, _1: int, _2: int, /) -> Any:
        """Least, greatest and usual value."""
    def setCameraParameter(self, _1: str, _2: int, _3: int, /) -> bool:
        """Sets a parameter of a subscription's camera."""
    def getCameraParameter(self, _1: str, _2: int, /) -> int:
        """Value of a parameter."""
    def setCameraParameterToDefault(self, _1: str, _2: int, /) -> bool:
        """Usual value of a parameter."""
    def setAllCameraParametersToDefault(self, _1: str, /) -> bool:
        """Usual parameters."""
    def setFrameRate(self, _1: str, _2: int, /) -> bool:
        """Pictures a second."""
    @overload
    def getFrameRate(self, _1: int, /) -> int:
        """Pictures a second."""
    @overload
    def getFrameRate(self, _1: str, /) -> int:
        """Pictures a second."""
    def setResolution(self, _1: str, _2: int, /) -> bool:
        """Size of pictures."""
    @overload
    def getResolution(self, _1: int, /) -> int:
        """Size of pictures."""
    @overload
    def getResolution(self, _1: str, /) -> int:
        """Size of pictures."""
    def setColorSpace(self, _1: str, _2: int, /) -> bool:
        """Kind of picture."""
    @overload
    def getColorSpace(self, _1: int, /) -> int:
        """Kind of picture."""
    @overload
    def getColorSpace(self, _1: str, /) -> int:
        """Kind of picture."""
    def openCamera(self, _1: int, /) -> bool:
        """Camera on."""
    def closeCamera(self, _1: int, /) -> bool:
        """Camera off: it has no pictures."""
    def isCameraOpen(self, _1: int, /) -> bool:
        """Whether it is on."""
    def startCamera(self, _1: int, /) -> bool:
        """Starts it."""
    def stopCamera(self, _1: int, /) -> bool:
        """Stops it."""
    def isCameraStarted(self, _1: int, /) -> bool:
        """Whether it runs."""
    def hasDepthCamera(self) -> bool:
        """Whether there is a depth camera."""
    def getAngularPositionFromImagePosition(self, _1: int, _2: Sequence[float], /) -> list[float]:
        """Direction of a point, 0…1 across and down."""
    def getImagePositionFromAngularPosition(self, _1: int, _2: Sequence[float], /) -> list[float]:
        """Point of a direction."""
    def getAngularSizeFromImageSize(self, _1: Any, _2: Any, /) -> Any:
        """Angles of a size, 0…1."""
    def getImageSizeFromAngularSize(self, _1: Any, _2: Any, /) -> Any:
        """Size of angles."""
    def subscribeCameras(self, _1: str, _2: Any, _3: Any, _4: Any, _5: int, /) -> str:
        """Subscribes to several cameras; its name."""
    def setParameterToDefault(self, _1: Any, _2: Any, /) -> bool:
        """Usual value of a parameter."""
    def getDirectRawImageLocal(self, _1: Any, /) -> Any:
        """Picture in YUV422."""
    def getImagesRemote(self, _1: Any, /) -> Any:
        """Pictures of several cameras."""
    def getImagesLocal(self, _1: Any, /) -> Any:
        """Pictures of several cameras."""
    def getCameraIndexes(self) -> Any:
        """Numbers of the cameras."""
    def getCameraName(self, _1: Any, /) -> Any:
        """Name of a camera."""
    def getCameraModel(self, _1: Any, /) -> Any:
        """Model of a camera."""
    def getHorizontalFOV(self, _1: Any, /) -> Any:
        """Field of view, radians."""
    def getVerticalFOV(self, _1: Any, /) -> Any:
        """Field of view, radians."""
    def releaseImages(self, _1: Any, /) -> Any:
        """Lets pictures go."""

class ALAudioRecorder(ALProxy):
    """Records sound."""
    @overload
    def startMicrophonesRecording(self, _1: Any, /) -> None:
        """Records: file, type, rate, channels."""
    @overload
    def startMicrophonesRecording(self, _1: str, _2: str, _3: int, _4: Any, /) -> None:
        """Records: file, type, rate, channels."""
    @overload
    def startMicrophonesRecording(self, _1: Any, _2: Any, /) -> None:
        """Records: file, type, rate, channels."""
    @overload
    def startMicrophonesRecording(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Records: file, type, rate, channels."""
    def stopMicrophonesRecording(self) -> None:
        """Ends recording."""
    def startPlaying(self, _1: Any, /) -> Any:
        """Plays a recording."""

class ALAudioDevice(ALProxy):
    """Loudspeakers and microphones."""
    def setOutputVolume(self, _1: int, /) -> None:
        """Loudness, 0…100."""
    def getOutputVolume(self) -> int:
        """Loudness, 0…100."""
    def muteAudioOut(self, _1: bool, /) -> None:
        """Silent or not."""
    def isAudioOutMuted(self) -> Any:
        """Whether it is silent."""
    @overload
    def startMicrophonesRecording(self, _1: Any, /) -> Any:
        """Records to a file."""
    @overload
    def startMicrophonesRecording(self, _1: Any, _2: Any, /) -> Any:
        """Records to a file."""
    @overload
    def startMicrophonesRecording(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Records to a file."""
    @overload
    def startMicrophonesRecording(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Records to a file."""
    def stopMicrophonesRecording(self) -> Any:
        """Ends recording."""
    def isInputClosed(self) -> Any:
        """Whether the microphones are off."""
    def isOutputClosed(self) -> Any:
        """Whether the loudspeakers are off."""
    def openAudioInputs(self) -> Any:
        """Microphones on."""
    def closeAudioInputs(self) -> Any:
        """Microphones off."""
    def openAudioOutputs(self) -> Any:
        """Loudspeakers on."""
    def closeAudioOutputs(self) -> Any:
        """Loudspeakers off."""
    def enableEnergyComputation(self) -> Any:
        """Measures loudness."""
    def disableEnergyComputation(self) -> Any:
        """Ends it."""
    def getFrontMicEnergy(self) -> Any:
        """Loudness at the front."""
    def getRearMicEnergy(self) -> Any:
        """Loudness at the back."""
    def getLeftMicEnergy(self) -> Any:
        """Loudness at the left."""
    def getRightMicEnergy(self) -> Any:
        """Loudness at the right."""
    def flushAudioOutputs(self) -> Any:
        """Drops what waits."""
    def setParameter(self, _1: Any, _2: Any, /) -> Any:
        """Sets a parameter."""
    def getParameter(self, _1: Any, /) -> Any:
        """Value of a parameter."""
    def setClientPreferences(self, _1: str, _2: int, _3: Any, _4: int, /) -> None:
        """How a module gets sound: name, rate, channels, apart."""
    @overload
    def subscribe(self, _1: Any, /) -> Any:
        """Calls processRemote of a module with sound."""
    @overload
    def subscribe(self, _1: Any, _2: Any, /) -> Any:
        """Calls processRemote of a module with sound."""
    @overload
    def subscribe(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Calls processRemote of a module with sound."""
    def unsubscribe(self, _1: Any, /) -> Any:
        """Ends it."""
    def sendRemoteBufferToOutput(self, _1: Any, _2: Any, /) -> Any:
        """Plays samples."""
    def sendLocalBufferToOutput(self, _1: Any, _2: Any, /) -> Any:
        """Plays samples."""
    def setFileAsInput(self, _1: Any, /) -> Any:
        """Takes a file for the microphones."""
    def playSine(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Plays a tone."""
    def disableEcho(self) -> Any:
        """No echo."""

class ALVolumeSlider(ALProxy):
    """Loudness by steps."""
    def increaseVolume(self) -> Any:
        """Louder."""
    def decreaseVolume(self) -> Any:
        """Less loud."""

class ALVisionToolbox(ALProxy):
    """Pictures and films with NAOqi 1, gone with NAOqi 2."""
    def backlighting(self) -> int:
        """Whether there is light from behind."""
    def isItDark(self) -> int:
        """0 (outdoors) to 255 (dark)."""
    def setWhiteBalance(self, _1: int, /) -> None:
        """Takes the hands as white."""
    def halfPress(self) -> None:
        """Prepares to take pictures."""
    def takePicture(self) -> None:
        """Takes three pictures."""
    def takePictures(self, _1: int, /) -> None:
        """Takes some pictures."""
    def takePictureRegularly(self, _1: float, _2: str, _3: bool, _4: str, _5: int, /) -> None:
        """Takes a picture again and again."""
    def stopTPR(self, _1: str, _2: str, /) -> None:
        """Ends that."""
    def startVideoRecord(self, _1: str, /) -> None:
        """Films."""
    def startVideoRecord_adv(self, _1: str, _2: float, _3: str, _4: int, _5: int, /) -> None:
        """Films."""
    def stopVideoRecord(self) -> Any:
        """Ends that: frames, file."""
    def isVideoRecording(self) -> bool:
        """Whether it films."""

class ALBacklightingDetection(CameraExtractor):
    """Light from behind."""

class ALBarcodeReader(CameraExtractor):
    """Reads codes."""

class ALCloseObjectDetection(CameraExtractor):
    """Things that are near."""

class ALColorBlobDetection(CameraExtractor):
    """Sees a patch of a colour."""
    def getAutoExposure(self) -> Any:
        """Whether the exposure is automatic."""
    def getAutoWhiteBalance(self) -> Any:
        """Whether the white balance is automatic."""
    def setAutoExposure(self, _1: Any, /) -> Any:
        """Exposure automatic or not."""
    def setAutoWhiteBalance(self, _1: Any, /) -> Any:
        """White balance automatic or not."""
    def setColor(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Colour it looks for: red, green, blue, tolerance."""
    @overload
    def setObjectProperties(self, _1: Any, _2: Any, /) -> Any:
        """Size of what it looks for."""
    @overload
    def setObjectProperties(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Size of what it looks for."""
    def getCircle(self) -> Any:
        """Circle around the patch: across, down, radius."""
    def getColor(self) -> Any:
        """Colour it looks for."""

class ALDarknessDetection(CameraExtractor):
    """Dark or bright."""
    def setDarknessThreshold(self, _1: Any, /) -> Any:
        """How dark."""
    def getDarknessThreshold(self) -> Any:
        """How dark is dark."""

class ALLandMarkDetection(CameraExtractor):
    """Finds printed marks."""

class ALMovementDetection(CameraExtractor):
    """What moves."""
    def setDepthSensitivity(self, _1: float, /) -> None:
        """How sensitive."""
    def setColorSensitivity(self, _1: float, /) -> None:
        """How sensitive."""
    def getDepthSensitivity(self) -> Any:
        """Least change of depth."""
    def getColorSensitivity(self) -> Any:
        """Least change of colour."""

class ALRedBallDetection(CameraExtractor):
    """Finds a red ball."""

class ALSegmentation3D(CameraExtractor):
    """Sees things by their depth."""

class ALVisionRecognition(CameraExtractor):
    """Knows pictures."""
    def changeDatabase(self, _1: str, _2: str, /) -> bool:
        """Which pictures."""
    @overload
    def learnFromFile(self, _1: str, _2: str, _3: Sequence[str], _4: bool, _5: bool, /) -> bool:
        """Learns a picture."""
    @overload
    def learnFromFile(self, _1: Any, _2: Any, _3: Any, /) -> bool:
        """Learns a picture."""
    @overload
    def learnFromFile(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> bool:
        """Learns a picture."""
    @overload
    def load(self, _1: Any, /) -> Any:
        """Pictures of a file."""
    @overload
    def load(self, _1: Any, _2: Any, /) -> Any:
        """Pictures of a file."""
    def setMaxOutObjs(self, _1: int, /) -> None:
        """How many at once."""
    def getParam(self, _1: str, /) -> Any:
        """Value of a parameter."""
    def setParam(self, _1: str, _2: Any, /) -> None:
        """Sets a parameter."""
    def detectFromFile(self, _1: Any, /) -> Any:
        """Looks for pictures in a file."""
    def getSize(self) -> Any:
        """How many pictures it knows."""
    def clearCurrentDatabase(self) -> Any:
        """Forgets every picture."""

class ALVisualCompass(Extractor):
    """Turns by what the camera sees."""

class ALVisualSpaceHistory(Extractor):
    """Where the camera has looked."""

class ALFaceTracker(ALProxy):
    """Follows a face; old."""
    def startTracker(self) -> Any:
        """Starts."""
    def stopTracker(self) -> Any:
        """Stops."""
    def setWholeBodyOn(self, _1: Any, /) -> Any:
        """With the whole body."""
    def getPosition(self) -> Any:
        """Where it is, from the torso."""
    def isActive(self) -> Any:
        """Whether it follows."""
    def isNewData(self) -> Any:
        """Whether it has seen something new."""

class ALRedBallTracker(ALProxy):
    """Follows a red ball; old."""
    def startTracker(self) -> None:
        """Starts."""
    def stopTracker(self) -> None:
        """Stops."""
    def setWholeBodyOn(self, _1: bool, /) -> None:
        """With the whole body."""
    def getPosition(self) -> Any:
        """Where it is, from the torso."""
    def isActive(self) -> Any:
        """Whether it follows."""
    def isNewData(self) -> Any:
        """Whether it has seen something new."""

class ALMovementRecorder(ALProxy):
    """Records movement."""

class ALFaceDetection(CameraExtractor):
    """Finds and knows faces."""
    def learnFace(self, _1: str, /) -> bool:
        """Learns the face in view."""
    def reLearnFace(self, _1: Any, /) -> Any:
        """Learns it better."""
    def forgetPerson(self, _1: str, /) -> bool:
        """Forgets a face."""
    def clearDatabase(self) -> bool:
        """Forgets every face."""
    def getLearnedFacesList(self) -> list[str]:
        """Names of the faces."""
    def importFolder(self, _1: Any, /) -> Any:
        """Learns from pictures."""
    def learnFaceFromImage(self, _1: Any, _2: Any, /) -> Any:
        """Learns from a picture."""
    def setRecognitionEnabled(self, _1: bool, /) -> None:
        """Knows faces or only finds them."""
    def isRecognitionEnabled(self) -> Any:
        """Whether it knows faces."""
    def setTrackingEnabled(self, _1: bool, /) -> None:
        """Keeps faces in sight."""
    def isTrackingEnabled(self) -> Any:
        """Whether it does."""
    def enableTracking(self, _1: Any, /) -> bool:
        """Old name of setTrackingEnabled."""
    @overload
    def enableRecognition(self) -> Any:
        """Old name of setRecognitionEnabled."""
    @overload
    def enableRecognition(self, _1: Any, /) -> Any:
        """Old name of setRecognitionEnabled."""
    def setRecognitionConfidenceThreshold(self, _1: Any, /) -> Any:
        """How sure it must be."""
    def getRecognitionConfidenceThreshold(self) -> Any:
        """How sure it must be."""
    @overload
    def setFrameRate(self, _1: Any, /) -> Any:
        """Pictures a second."""
    @overload
    def setFrameRate(self, _1: Any, _2: Any, /) -> Any:
        """Pictures a second."""
    def importOldDatabase(self) -> Any:
        """Reads faces of an older version."""
    def savePersonsToDisk(self) -> Any:
        """Keeps the faces."""
    def isFaceLearned(self, _1: Any, /) -> Any:
        """Whether a face is known."""

class ALPeoplePerception(Extractor):
    """Finds people."""
    def resetPopulation(self) -> None:
        """Forgets everybody."""
    def setMaximumDetectionRange(self, _1: float, /) -> None:
        """How far, metres."""
    def getMaximumDetectionRange(self) -> float:
        """How far, metres."""
    def setTimeBeforePersonDisappears(self, _1: float, /) -> None:
        """Seconds."""
    def setTimeBeforeVisiblePersonDisappears(self, _1: float, /) -> None:
        """Seconds."""
    def setFaceDetectionEnabled(self, _1: bool, /) -> None:
        """Looks for faces."""
    def setMovementDetectionEnabled(self, _1: bool, /) -> None:
        """Looks for movement."""
    def setFastModeEnabled(self, _1: bool, /) -> None:
        """Faster, less sure."""
    def setGraphicalDisplayEnabled(self, _1: bool, /) -> None:
        """Draws what it sees."""
    def getMaximumBodyHeight(self) -> Any:
        """Tallest person, metres."""
    def getMinimumBodyHeight(self) -> Any:
        """Smallest person, metres."""
    def getTimeBeforePersonDisappears(self) -> Any:
        """Seconds until a person is forgotten."""
    def getTimeBeforeVisiblePersonDisappears(self) -> Any:
        """Seconds until a visible person is not."""
    def isFaceDetectionEnabled(self) -> Any:
        """Whether faces count."""
    def isFastModeEnabled(self) -> Any:
        """Whether it is quick and less sure."""
    def isMovementDetectionEnabled(self) -> Any:
        """Whether movements count."""
    def setMaximumBodyHeight(self, _1: Any, /) -> Any:
        """Tallest person, metres."""
    def setMinimumBodyHeight(self, _1: Any, /) -> Any:
        """Smallest person, metres."""

class ALFaceCharacteristics(Extractor):
    """Age, gender, smile of faces."""
    def analyzeFaceCharacteristics(self, _1: Any, /) -> Any:
        """Looks at a person's face."""
    def getSmilingThreshold(self) -> Any:
        """How sure a smile must be."""
    def setSmilingThreshold(self, _1: Any, /) -> Any:
        """How sure a smile must be."""

class ALGazeAnalysis(Extractor):
    """Where people look."""
    def setTolerance(self, _1: float, /) -> None:
        """How exactly."""
    def getTolerance(self) -> float:
        """How exactly."""
    def getFaceAnalysisEnabled(self) -> Any:
        """Whether faces are analyzed."""
    def setFaceAnalysisEnabled(self, _1: Any, /) -> Any:
        """Analyzes faces, or not."""

class ALEngagementZones(Extractor):
    """How near people are."""
    def getFirstLimitDistance(self) -> float:
        """Metres."""
    def getSecondLimitDistance(self) -> float:
        """Metres."""
    def getLimitAngle(self) -> float:
        """Degrees."""
    def setFirstLimitDistance(self, _1: float, /) -> None:
        """Metres."""
    def setSecondLimitDistance(self, _1: float, /) -> None:
        """Metres."""
    def setLimitAngle(self, _1: float, /) -> None:
        """Degrees."""
    @overload
    def computeEngagementZone(self, _1: float, _2: float, _3: float, /) -> int:
        """Zone of a direction and distance."""
    @overload
    def computeEngagementZone(self, _1: Any, /) -> int:
        """Zone of a direction and distance."""
    @overload
    def computeEngagementZone(self, _1: float, _2: float, _3: float, _4: Any, /) -> int:
        """Zone of a direction and distance."""
    @overload
    def computeEngagementZone(self, _1: Any, _2: Any, /) -> int:
        """Zone of a direction and distance."""

class ALSittingPeopleDetection(Extractor):
    """Who sits."""
    def setSittingThreshold(self, _1: float, /) -> None:
        """Metres."""
    def getSittingThreshold(self) -> Any:
        """Height below which a person sits, metres."""

class ALWavingDetection(Extractor):
    """Who waves."""
    def setMaxDistance(self, _1: float, /) -> None:
        """Metres."""
    def getMaxDistance(self) -> Any:
        """Farthest hand, metres."""

class ALMood(Extractor):
    """Feelings of people."""
    @overload
    def getEmotionalReaction(self) -> str:
        """Reaction within seconds."""
    @overload
    def getEmotionalReaction(self, _1: Any, /) -> str:
        """Reaction within seconds."""
    def currentPersonState(self) -> Any:
        """Mood of the nearest person."""
    def ambianceState(self) -> Any:
        """Mood around."""
    def persons(self) -> list[Any]:
        """Everybody."""
    def getPersonData(self, _1: Any, /) -> Any:
        """Mood of a person."""
    def personStateFromUserSession(self, _1: Any, /) -> Any:
        """Mood of a user."""
    ambianceChanged: Any
    valence: Any
    valenceLevel: Any
    attention: Any
    attentionLevel: Any
    attentionZone: Any
    ambiance: Any
    ambianceLevel: Any

class ALRobotMood(ALProxy):
    """Feelings that the robot shows."""
    def getState(self) -> Any:
        """Pleasure and excitement, in words."""
    def getFullState(self) -> Any:
        """Both, with how sure it is."""
    state: Any
    fullState: Any
    pleasure: Any
    excitement: Any

class ALVoiceEmotionAnalysis(Extractor):
    """Feeling in a voice."""

class ALExpressionWatcher(ALProxy):
    """Watches conditions over events of the memory."""
    def add(self, _1: str, _2: int, /) -> ExpressionObject:
        """Watches a condition; gives an object whose signal reports it."""
    def remove(self, _1: Any, /) -> Any:
        """Ends it."""
    def getExpressions(self) -> Any:
        """Expressions that are watched."""

class ALUserSession(ALProxy):
    """Who is there."""
    def getOpenUserSessions(self) -> list[int]:
        """Users present."""
    def getFocusedUser(self) -> int:
        """User in focus."""
    def areUserSessionsOpen(self, _1: Sequence[int], /) -> bool:
        """Whether users are present."""
    @overload
    def getUserData(self, _1: int, _2: str, /) -> Any:
        """What is known of a user."""
    @overload
    def getUserData(self, _1: int, _2: str, _3: str, /) -> Any:
        """What is known of a user."""
    def setUserData(self, _1: int, _2: str, _3: str, _4: Any, /) -> None:
        """Remembers something of a user."""
    def doUsersExist(self, _1: Sequence[int], /) -> bool:
        """Whether users are known."""
    def getUserList(self) -> list[int]:
        """Users."""
    def areUserBindingsReady(self) -> Any:
        """Whether users are known."""
    def doesUserExist(self, _1: Any, /) -> Any:
        """Whether there is a user."""
    def findUsersWithBinding(self, _1: Any, _2: Any, /) -> Any:
        """Users with a value of a source."""
    def getBindingSources(self) -> Any:
        """Sources of what is known of users."""
    def getFocusedUserId(self) -> Any:
        """User it is occupied with."""
    def getNumUsers(self) -> Any:
        """How many users."""
    def getUsers(self) -> Any:
        """Users."""
    def isUserSessionOpen(self, _1: Any, /) -> Any:
        """Whether a user is there."""

class ALSonar(Extractor):
    """Distance by sound."""

class ALLaser(Extractor):
    """Distance by laser."""
    def laserON(self) -> Any:
        """On."""
    def laserOFF(self) -> Any:
        """Off."""
    def setDetectingLength(self, _1: Any, _2: Any, /) -> Any:
        """Nearest and farthest point, millimetres."""
    def setOpeningAngle(self, _1: Any, _2: Any, /) -> Any:
        """First and last angle, radians."""

class ALInfrared(Extractor):
    """Remote controls."""
    @overload
    def initReception(self) -> Any:
        """Starts to receive."""
    @overload
    def initReception(self, _1: Any, /) -> Any:
        """Starts to receive."""
    def sendRC5(self, *args: Any) -> Any:
        """Sends a code."""

class ALTouch(ALProxy):
    """Touch of any sensor."""
    def getSensorList(self) -> list[str]:
        """Every sensor."""
    def getStatus(self) -> Any:
        """What is touched."""
    def createSensorGroup(self, _1: Any, _2: Any, /) -> Any:
        """Makes a group."""

class ALSensors(Extractor):
    """Sensors raise events."""
    def run(self) -> None:
        """Starts."""

class ALChestButton(Extractor):
    """The chest button."""

class ALSoundDetection(Extractor):
    """Sounds."""
    def setParameter(self, _1: str, _2: Any, /) -> None:
        """Sensitivity."""

class ALSoundLocalization(Extractor):
    """Where a sound comes from."""
    def setParameter(self, _1: Any, _2: Any, /) -> Any:
        """Sensitivity, EnergyComputation."""

class ALBodyTemperature(ALProxy):
    """Heat of joints."""
    def getTemperatureDiagnosis(self) -> Any:
        """Hot joints."""
    def setEnableNotifications(self, _1: bool, /) -> None:
        """Says when it is hot."""
    def areNotificationsEnabled(self) -> bool:
        """Whether it does."""
    def isTemperatureEmergencyEnabled(self) -> Any:
        """Whether heat stops it."""
    def setTemperatureEmergencyEnabled(self, _1: Any, /) -> Any:
        """Lets heat stop it, or not."""

class ALBattery(ALProxy):
    """The battery."""
    def getBatteryCharge(self) -> int:
        """Percent."""
    def enablePowerMonitoring(self, _1: bool, /) -> None:
        """Reports or not."""
    def getTimeLeft(self) -> Any:
        """Time left with this charge."""

class ALInertial(ALProxy):
    """Inertial unit of NAOqi 1; its values are memory keys."""

class ALMecaLogger(ALProxy):
    """Log of the mechanics."""

class ALDiagnosis(ALProxy):
    """Defective devices."""
    def getActiveDiagnosis(self) -> Any:
        """Severity and devices that fail the tests of wakeUp."""
    def getPassiveDiagnosis(self) -> Any:
        """Severity and devices that have errors."""
    def setEnableNotification(self, _1: Any, /) -> Any:
        """Notifies of errors, or not."""
    def isNotificationEnabled(self) -> Any:
        """Whether it does."""

class ALTactileGesture(ALProxy):
    """Gestures on the head's sensors."""
    def getGestures(self) -> Any:
        """Sequences of all gestures, by name."""
    def getGesture(self, _1: Any, /) -> Any:
        """Name of the gesture of a sequence."""
    def getSequence(self, _1: Any, /) -> Any:
        """Sequence of a gesture."""
    def createGesture(self, _1: Any, /) -> Any:
        """Adds a sequence; its name."""
    onGesture: Any
    onRelease: Any

class ALAutonomousLife(ALProxy):
    """What the robot does by itself."""
    def setState(self, _1: str, /) -> None:
        """solitary, interactive, safeguard, disabled."""
    def getState(self) -> str:
        """State."""
    def focusedActivity(self) -> str:
        """Activity in focus."""
    @overload
    def switchFocus(self, _1: str, /) -> None:
        """Gives the focus to an activity."""
    @overload
    def switchFocus(self, _1: str, _2: int, /) -> None:
        """Gives the focus to an activity."""
    def stopFocus(self) -> None:
        """Ends the activity in focus."""
    def stopAll(self) -> None:
        """Ends every activity."""
    def getAutonomousAbilityEnabled(self, _1: str, /) -> bool:
        """Whether an ability is on."""
    def setAutonomousAbilityEnabled(self, _1: str, _2: bool, /) -> None:
        """Sets an ability on or off."""
    def getAutonomousAbilitiesStatus(self) -> list[Any]:
        """Every ability."""
    def setSafeguardEnabled(self, _1: str, _2: bool, /) -> None:
        """Sets a safeguard on or off."""
    def isSafeguardEnabled(self, _1: str, /) -> bool:
        """Whether a safeguard is on."""
    def setRobotOffsetFromFloor(self, _1: float, /) -> None:
        """Height of the floor, metres."""
    def getRobotOffsetFromFloor(self) -> float:
        """Height of the floor, metres."""
    def getFocusContext(self, _1: str, /) -> Any:
        """Context of a focus."""
    def getActivityNature(self, _1: str, /) -> str:
        """solitary, interactive or none."""
    def getActivityStatistics(self) -> Any:
        """What ran how often."""
    def getAutonomousActivityStatistics(self) -> Any:
        """What ran how often."""
    def getActivityContextPermissionViolations(self, _1: str, /) -> list[str]:
        """What a context forbids."""
    def getEnabledLaunchpadPlugins(self) -> list[str]:
        """Plugins."""
    def getLaunchpadPluginsForGroup(self, _1: str, /) -> list[str]:
        """Plugins of a group."""
    @overload
    def getFocusHistory(self) -> list[Any]:
        """Earlier focus."""
    @overload
    def getFocusHistory(self, _1: int, /) -> list[Any]:
        """Earlier focus."""
    @overload
    def getStateHistory(self) -> list[Any]:
        """Earlier states."""
    @overload
    def getStateHistory(self, _1: int, /) -> list[Any]:
        """Earlier states."""
    def getLifeTime(self) -> int:
        """Seconds since it started."""
    def isMonitoringLaunchpadConditions(self) -> bool:
        """Whether it may start activities."""
    def setLaunchpadPluginEnabled(self, _1: str, _2: bool, /) -> None:
        """Sets a plugin on or off."""
    def startMonitoringLaunchpadConditions(self) -> None:
        """May start activities."""
    def stopMonitoringLaunchpadConditions(self) -> None:
        """May not."""
    def setRobotOffset(self, _1: Any, /) -> Any:
        """Height of what it stands on."""
    stateChanged: Any
    userRequestableActivitiesViolations: Any

class ALBasicAwareness(ALProxy):
    """Turns to people."""
    def startAwareness(self) -> None:
        """Starts."""
    def stopAwareness(self) -> None:
        """Stops."""
    def pauseAwareness(self) -> None:
        """Pauses."""
    def resumeAwareness(self) -> None:
        """Goes on."""
    def isAwarenessRunning(self) -> bool:
        """Whether it runs."""
    def isAwarenessPaused(self) -> bool:
        """Whether it pauses."""
    @overload
    def isRunning(self) -> bool:
        """Whether it runs."""
    @overload
    def isRunning(self, _1: Any, /) -> bool:
        """Whether it runs."""
    def isEnabled(self) -> bool:
        """Whether it is on."""
    def setEnabled(self, _1: bool, /) -> None:
        """On or off."""
    def setEngagementMode(self, _1: str, /) -> None:
        """Unengaged, FullyEngaged, SemiEngaged."""
    def getEngagementMode(self) -> str:
        """Engagement mode."""
    def setTrackingMode(self, _1: str, /) -> None:
        """Head, BodyRotation, WholeBody, MoveContextually."""
    def getTrackingMode(self) -> str:
        """Tracking mode."""
    def setStimulusDetectionEnabled(self, _1: str, _2: bool, /) -> None:
        """Which stimuli it notices."""
    def isStimulusDetectionEnabled(self, _1: str, /) -> bool:
        """Whether it notices a stimulus."""
    def setParameter(self, _1: str, _2: Any, /) -> None:
        """Sets a parameter."""
    def getParameter(self, _1: str, /) -> Any:
        """Value of a parameter."""
    def resetAllParameters(self) -> None:
        """Usual parameters."""
    def triggerStimulus(self, _1: Any, /) -> Any:
        """Makes it notice a place."""
    def engagePerson(self, _1: int, /) -> bool:
        """Turns to a person."""
    humanLost: Any
    humanTracked: Any
    stimulusDetected: Any

class ALAnimationPlayer(ALProxy):
    """Plays animations."""
    @overload
    def run(self, _1: str, /) -> None:
        """Plays an animation; waits."""
    @overload
    def run(self, _1: str, _2: Any, /) -> None:
        """Plays an animation; waits."""
    @overload
    def runTag(self, _1: str, /) -> None:
        """Plays an animation of a tag; waits."""
    @overload
    def runTag(self, _1: Any, _2: Any, /) -> None:
        """Plays an animation of a tag; waits."""
    @overload
    def runTag(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Plays an animation of a tag; waits."""
    @overload
    def declarePathForTags(self, _1: str, /) -> None:
        """Animations of a folder."""
    @overload
    def declarePathForTags(self, _1: Any, _2: Any, /) -> None:
        """Animations of a folder."""
    @overload
    def declarePathForTags(self, _1: Any, _2: Any, _3: Any, /) -> None:
        """Animations of a folder."""
    def addTagForAnimations(self, _1: Any, /) -> None:
        """Animations of a tag."""
    def declareTagForAnimations(self, _1: Any, /) -> Any:
        """Animations of a tag."""
    def reset(self) -> None:
        """Forgets what was declared."""

class ALAutonomousBlinking(ALProxy):
    """Blinks."""
    def setEnabled(self, _1: bool, /) -> None:
        """On or off."""
    def isEnabled(self) -> bool:
        """Whether it is on."""
    def getEnabled(self) -> Any:
        """Whether it blinks."""

class ALAutonomousMoves(ALProxy):
    """Small moves when idle."""
    def setBackgroundStrategy(self, _1: str, /) -> None:
        """none or backToNeutral."""
    def getBackgroundStrategy(self) -> str:
        """none or backToNeutral."""
    def setExpressiveListeningEnabled(self, _1: bool, /) -> None:
        """Moves while listening."""
    def getExpressiveListeningEnabled(self) -> bool:
        """Whether it does."""
    def startSmallDisplacements(self) -> None:
        """Moves a little."""
    def stopSmallDisplacements(self) -> None:
        """Ends it."""
    def getBackgroundPriority(self) -> Any:
        """Priority of its movements."""
    def setBackgroundPriority(self, _1: Any, /) -> Any:
        """Sets it."""
    def startAutonomousMoves(self) -> Any:
        """Moves by itself."""
    def stopAutonomousMoves(self) -> Any:
        """Ends that."""

class ALBackgroundMovement(ALProxy):
    """Moves a little."""
    def setEnabled(self, _1: bool, /) -> None:
        """On or off."""
    def isEnabled(self) -> bool:
        """Whether it is on."""

class ALExpressiveListening(ALProxy):
    """Moves while listening; old."""
    def setEnabled(self, _1: Any, /) -> Any:
        """On or off."""
    def isEnabled(self) -> Any:
        """Whether it is on."""

class ALListeningMovement(ALProxy):
    """Moves while listening."""
    def setEnabled(self, _1: bool, /) -> None:
        """On or off."""
    def isEnabled(self) -> bool:
        """Whether it is on."""

class ALSpeakingMovement(ALProxy):
    """Moves while speaking."""
    def setEnabled(self, _1: bool, /) -> None:
        """On or off."""
    def isEnabled(self) -> bool:
        """Whether it is on."""
    def setMode(self, _1: str, /) -> None:
        """random or contextual."""
    def getMode(self) -> str:
        """Mode."""
    def addTagsToWords(self, _1: Any, /) -> None:
        """Gestures for words."""
    def resetTagsToWords(self) -> Any:
        """Usual animations for words."""

class ALThinkingExpression(ALProxy):
    """Shows that it thinks."""
    def isEnabled(self) -> Any:
        """Whether it is on."""
    def setEnabled(self, _1: Any, /) -> Any:
        """On or off."""

class ALTabletService(ALProxy):
    """Screen on the chest."""
    @overload
    def showImage(self, _1: str, /) -> bool:
        """Shows a picture of a web address."""
    @overload
    def showImage(self, _1: Any, _2: Any, /) -> bool:
        """Shows a picture of a web address."""
    def showImageNoCache(self, _1: str, /) -> bool:
        """Shows it anew."""
    def preLoadImage(self, _1: str, /) -> bool:
        """Loads a picture."""
    def hideImage(self) -> None:
        """Hides the picture."""
    def resumeGif(self) -> None:
        """Goes on with an animation."""
    def pauseGif(self) -> None:
        """Pauses an animation."""
    @overload
    def showWebview(self) -> bool:
        """Shows the browser."""
    @overload
    def showWebview(self, _1: str, /) -> bool:
        """Shows the browser."""
    def hideWebview(self) -> bool:
        """Hides it."""
    def loadUrl(self, _1: str, /) -> bool:
        """Loads a page."""
    def reloadPage(self, _1: bool, /) -> None:
        """Loads the page again."""
    def loadApplication(self, _1: str, /) -> bool:
        """Loads a package's page."""
    def executeJS(self, _1: str, /) -> None:
        """Runs script in the page."""
    def cleanWebview(self) -> None:
        """Empties the browser."""
    def hide(self) -> None:
        """Hides everything."""
    def robotIp(self) -> str:
        """Address of the robot as the tablet sees it."""
    def resetTablet(self) -> None:
        """Usual state."""
    def setBackgroundColor(self, _1: str, /) -> bool:
        """Colour, #rrggbb."""
    def setVolume(self, _1: int, /) -> bool:
        """Loudness, 0…15."""
    def getVolume(self) -> Any:
        """Loudness, 0…15."""
    def setBrightness(self, _1: float, /) -> bool:
        """Brightness, 0…1."""
    def getBrightness(self) -> float:
        """Brightness, 0…1."""
    def turnScreenOn(self, _1: bool, /) -> None:
        """Screen on or off."""
    def wakeUp(self) -> None:
        """Wakes the screen."""
    def goToSleep(self) -> None:
        """Screen sleeps."""
    def playVideo(self, _1: str, /) -> bool:
        """Plays a video."""
    def stopVideo(self) -> bool:
        """Ends it."""
    def pauseVideo(self) -> bool:
        """Pauses it."""
    def resumeVideo(self) -> bool:
        """Goes on."""
    def getVideoLength(self) -> int:
        """Milliseconds."""
    def getVideoPosition(self) -> int:
        """Milliseconds."""
    @overload
    def showInputDialog(self, _1: str, _2: str, _3: str, _4: str, /) -> None:
        """Asks for text."""
    @overload
    def showInputDialog(self, _1: str, _2: str, _3: str, _4: str, _5: str, _6: int, /) -> None:
        """Asks for text."""
    @overload
    def showInputDialog(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> None:
        """Asks for text."""
    @overload
    def showInputTextDialog(self, _1: str, _2: str, _3: str, /) -> None:
        """Asks for text."""
    @overload
    def showInputTextDialog(self, _1: str, _2: str, _3: str, _4: str, _5: int, /) -> None:
        """Asks for text."""
    @overload
    def showInputTextDialog(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> None:
        """Asks for text."""
    def hideDialog(self) -> None:
        """Hides the question."""
    def setOnTouchWebviewScaleFactor(self, _1: float, /) -> None:
        """Scale of touch positions."""
    def getOnTouchScaleFactor(self) -> float:
        """Scale of touch positions."""
    def getDisplayName(self) -> Any:
        """Name."""
    def getWifiStatus(self) -> str:
        """Network state."""
    def configureWifi(self, _1: str, _2: str, _3: str, /) -> bool:
        """Sets a network: security, name, key."""
    def enableWifi(self) -> None:
        """Network on."""
    def disableWifi(self) -> None:
        """Network off."""
    def connectWifi(self, _1: str, /) -> bool:
        """Connects."""
    def disconnectWifi(self) -> bool:
        """Disconnects."""
    def forgetWifi(self, _1: str, /) -> bool:
        """Forgets a network."""
    def getWifiMacAddress(self) -> str:
        """Hardware address."""
    def resetToDefaultValue(self) -> Any:
        """Usual settings."""
    @overload
    def enableResetTablet(self) -> Any:
        """May reset or not."""
    @overload
    def enableResetTablet(self, _1: Any, /) -> Any:
        """May reset or not."""
    def version(self) -> str:
        """Version."""
    def webviewSize(self) -> Any:
        """Size of the page."""
    def webviewScale(self) -> Any:
        """Scale of the page."""
    def _openSettings(self) -> None:
        """Undocumented."""
    def openSettings(self) -> Any:
        """Opens the settings."""
    @overload
    def showAlertView(self, _1: Any, /) -> Any:
        """Shows a warning."""
    @overload
    def showAlertView(self, _1: Any, _2: Any, /) -> Any:
        """Shows a warning."""
    @overload
    def showAlertView(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Shows a warning."""
    @overload
    def showAlertView(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Shows a warning."""
    @overload
    def showAlertView(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, /) -> Any:
        """Shows a warning."""
    @overload
    def showAlertView(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, _6: Any, /) -> Any:
        """Shows a warning."""
    def _clearWebview(self) -> Any:
        """Undocumented."""
    def getOnTouchWebviewScaleFactor(self) -> Any:
        """Scale of touch positions."""
    def getTabletLanguage(self) -> Any:
        """Language."""
    def setTabletLanguage(self, _1: Any, /) -> Any:
        """Language."""
    def setOnTouchScaleFactor(self, _1: Any, /) -> Any:
        """Scale of touch positions."""
    @overload
    def setTabletDefaultValue(self) -> Any:
        """Usual settings."""
    @overload
    def setTabletDefaultValue(self, _1: Any, /) -> Any:
        """Usual settings."""
    @overload
    def setTabletDefaultValue(self, _1: Any, _2: Any, /) -> Any:
        """Usual settings."""
    def getAvailableKeyboards(self) -> Any:
        """Keyboards."""
    def getLastVideoErrorLog(self) -> Any:
        """Last error of a video."""
    def isScreenOn(self) -> Any:
        """Whether the screen is on."""
    onTouch: Any
    onTouchDown: Any
    onTouchDownRatio: Any
    onTouchUp: Any
    onTouchMove: Any
    onTouchScaleFactor: Any
    onJSEvent: Any
    onPageStarted: Any
    onPageFinished: Any
    onLoadPageError: Any
    onInputText: Any
    onConsoleMessage: Any
    onWifiStatusChange: Any
    onImageLoaded: Any
    videoFinished: Any
    videoStarted: Any

class ALRecharge(ALProxy):
    """Goes to the charging station."""
    def goToStation(self) -> Any:
        """Goes there; 0 if it charges then."""
    def leaveStation(self) -> Any:
        """Leaves it; 0 if it did."""
    def lookForStation(self) -> Any:
        """Whether it sees it, and where."""
    def moveInFrontOfStation(self) -> Any:
        """Goes before it; 0 if it did."""
    def dockOnStation(self) -> Any:
        """Docks; 0 if it did."""
    def stopAll(self) -> Any:
        """Stops."""
    def getStatus(self) -> Any:
        """0 idle, 1 looking, 2 going, 3 docked, 4 leaving."""
    def getStationPosition(self) -> Any:
        """Where the station is, from the robot."""
    def setUseTrackerSearcher(self, _1: Any, /) -> Any:
        """Looks with the head."""
    def setMaxNumberOfTries(self, _1: Any, /) -> Any:
        """How often to try."""

class ALUserInfo(ALProxy):
    """What is known of users."""
    @overload
    def get(self, _1: int, _2: str, /) -> Any:
        """A fact."""
    @overload
    def get(self, _1: str, /) -> Any:
        """A fact."""
    @overload
    def get(self, _1: str, _2: int, _3: str, /) -> Any:
        """A fact."""
    @overload
    def get(self, _1: str, _2: str, /) -> Any:
        """A fact."""
    @overload
    def set(self, _1: str, _2: int, _3: str, _4: Any, /) -> bool:
        """Remembers a fact."""
    @overload
    def set(self, _1: str, _2: str, _3: Any, /) -> bool:
        """Remembers a fact."""
    @overload
    def has(self, _1: int, _2: str, /) -> bool:
        """Whether it is known."""
    @overload
    def has(self, _1: str, /) -> bool:
        """Whether it is known."""
    @overload
    def has(self, _1: str, _2: int, _3: str, /) -> bool:
        """Whether it is known."""
    @overload
    def has(self, _1: str, _2: str, /) -> bool:
        """Whether it is known."""
    @overload
    def remove(self, _1: str, _2: int, _3: str, /) -> bool:
        """Forgets it."""
    @overload
    def remove(self, _1: str, _2: str, /) -> bool:
        """Forgets it."""

class ALKnowledge(ALProxy):
    """Facts: subject, predicate, object."""
    def add(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Adds a fact: owner, subject, predicate, object."""
    def contains(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Whether a fact is known."""
    def remove(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Forgets a fact."""
    def update(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Gives a subject and predicate another object."""
    def getObject(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Objects of a subject and predicate."""
    def getPredicate(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Predicates of a subject and object."""
    def getSubject(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Subjects of a predicate and object."""
    def getTriplet(self, _1: Any, /) -> Any:
        """Facts of an owner."""
    def resetKnowledge(self, _1: Any, /) -> Any:
        """Forgets the facts of an owner."""

class ALWorldRepresentation(ALProxy):
    """Things in the world."""
    @overload
    def storeObject(self, _1: str, _2: str, _3: Sequence[float], _4: str, _5: Any, /) -> int:
        """Remembers a thing: name, frame, position, category, attributes."""
    @overload
    def storeObject(self, _1: Any, _2: Any, _3: Any, _4: Any, _5: Any, _6: Any, /) -> int:
        """Remembers a thing: name, frame, position, category, attributes."""
    def getObjectNames(self) -> list[str]:
        """Things."""
    def getPosition(self, _1: str, _2: str, /) -> Any:
        """Where a thing is: frame, name."""
    def removeObject(self, _1: Any, /) -> Any:
        """Forgets a thing."""
    def addAttributeToCategory(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Gives a category an attribute."""
    def clearObject(self, _1: Any, /) -> Any:
        """Forgets where a thing was."""
    def clearOldPositions(self, _1: Any, _2: Any, /) -> Any:
        """Forgets old positions."""
    def createObjectCategory(self, _1: Any, _2: Any, /) -> Any:
        """Makes a category."""
    def findObject(self, _1: Any, /) -> Any:
        """Whether there is a thing."""
    def getObjectAttributes(self, _1: Any, /) -> Any:
        """Attributes of a thing."""
    def getObjectCategory(self, _1: Any, /) -> Any:
        """Category of a thing."""
    def getObjectParentName(self, _1: Any, /) -> Any:
        """What a thing lies on."""
    def getChildrenNames(self, _1: Any, /) -> Any:
        """Things on a thing."""
    def getObjectsInCategory(self, _1: Any, /) -> Any:
        """Things of a category."""
    def getObjectsOfCategory(self, _1: Any, /) -> Any:
        """Things of a category."""
    def getRootNames(self) -> Any:
        """Things that lie on nothing."""
    @overload
    def load(self) -> Any:
        """Reads things."""
    @overload
    def load(self, _1: Any, /) -> Any:
        """Reads things."""
    def objectCategoryExists(self, _1: Any, /) -> Any:
        """Whether there is a category."""
    def removeObjectCategory(self, _1: Any, /) -> Any:
        """Removes a category."""
    @overload
    def save(self) -> Any:
        """Keeps things."""
    @overload
    def save(self, _1: Any, /) -> Any:
        """Keeps things."""

class ALNotificationManager(ALProxy):
    """Notes to the user."""
    def add(self, _1: Any, /) -> int:
        """Adds a note."""
    def remove(self, _1: int, /) -> None:
        """Removes it."""
    def notifications(self) -> Any:
        """Every note."""
    def notification(self, _1: int, /) -> Any:
        """One note."""
    notificationAdded: Any
    notificationRemoved: Any

class ALPreferenceManager(ALProxy):
    """Settings that are kept."""
    def getValue(self, _1: str, _2: str, /) -> Any:
        """Value of a setting: domain, name."""
    def setValue(self, _1: str, _2: str, _3: Any, /) -> None:
        """Sets it."""
    def getDomainList(self) -> list[str]:
        """Every domain."""
    def getValueList(self, _1: str, /) -> list[list[Any]]:
        """Settings of a domain."""
    def removeValue(self, _1: str, _2: str, /) -> None:
        """Forgets a setting."""
    def removeDomainValues(self, _1: str, /) -> None:
        """Forgets a domain."""
    def update(self) -> None:
        """Reads the settings again."""
    def importPrefFile(self, _1: str, _2: str, _3: str, _4: bool, /) -> None:
        """Reads settings from a file."""

class ALPreferences(ALProxy):
    """Settings of the robot, before ALPreferenceManager."""
    def getValue(self, _1: str, _2: str, /) -> Any:
        """Value of a setting: domain, name."""
    def setValue(self, _1: str, _2: str, _3: Any, /) -> None:
        """Sets it."""
    def getDomainList(self) -> list[str]:
        """Every domain."""
    def getValueList(self, _1: str, /) -> list[list[Any]]:
        """Settings of a domain."""
    def removeValue(self, _1: str, _2: str, /) -> None:
        """Forgets a setting."""
    def removeDomainValues(self, _1: str, /) -> None:
        """Forgets a domain."""
    def update(self) -> None:
        """Reads the settings again."""
    def importPrefFile(self, _1: str, _2: str, _3: str, _4: bool, /) -> None:
        """Reads settings from a file."""

class ALLauncher(ALProxy):
    """Starts modules."""
    def getGlobalModuleList(self) -> Any:
        """Every module."""
    def isModulePresent(self, _1: Any, /) -> Any:
        """Whether there is a module."""
    def launchLocal(self, _1: Any, /) -> Any:
        """Starts a module in the robot's process."""
    def launchExecutable(self, _1: Any, /) -> Any:
        """Starts a program."""
    def launchPythonModule(self, _1: Any, /) -> Any:
        """Starts a Python module."""
    def launchScript(self, _1: Any, /) -> Any:
        """Starts a script."""

class ALFileManager(ALProxy):
    """Files of the robot."""
    def fileExists(self, _1: Any, /) -> Any:
        """Whether there is a file."""
    def dataFileExists(self, _1: Any, /) -> Any:
        """Whether there is a file of data."""
    def getFileCompleteName(self, _1: Any, /) -> Any:
        """Full path of a file."""
    def getFileContents(self, _1: Any, /) -> Any:
        """Content of a file."""
    def getSystemSharedFolderPath(self) -> Any:
        """Folder of all."""
    def setUserSharedFolderPath(self, _1: Any, /) -> Any:
        """Folder of the user."""
    def getUserSharedFolderPath(self) -> Any:
        """Folder of the user."""

class ALFsr(Extractor):
    """Feet on the floor."""

class ALSystem(ALProxy):
    """The system."""
    def robotName(self) -> str:
        """Name."""
    def setRobotName(self, _1: str, /) -> bool:
        """Gives a name."""
    def systemVersion(self) -> str:
        """Version."""
    def systemInfo(self) -> Any:
        """Versions of everything."""
    def robotIcon(self) -> Any:
        """Picture."""
    def reboot(self) -> None:
        """Starts again."""
    def shutdown(self) -> None:
        """Switches off."""
    def setTimezone(self, _1: Any, /) -> bool:
        """Time zone."""
    def timezone(self) -> str:
        """Time zone."""
    def freeMemory(self) -> int:
        """Kilobytes."""
    def totalMemory(self) -> int:
        """Kilobytes."""
    @overload
    def diskFree(self) -> Any:
        """Space."""
    @overload
    def diskFree(self, _1: Any, /) -> Any:
        """Space."""
    def changePassword(self, _1: Any, _2: Any, /) -> Any:
        """Password."""
    def previousSystemVersion(self) -> Any:
        """Version before."""
    @overload
    def upgrade(self, _1: Any, _2: Any, /) -> Any:
        """New version."""
    @overload
    def upgrade(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """New version."""
    @overload
    def factoryReset(self) -> Any:
        """Everything as new."""
    @overload
    def factoryReset(self, _1: Any, /) -> Any:
        """Everything as new."""
    @overload
    def factoryReset(self, _1: Any, _2: Any, /) -> Any:
        """Everything as new."""
    def aldebaranPackage(self) -> Any:
        """Whether a package is of the maker."""

class ServiceDirectory(ALProxy):
    """Names of services."""
    def services(self) -> list[Any]:
        """Every service."""
    def service(self, _1: str, /) -> Any:
        """One service."""
    def registerService(self, _1: Any, /) -> int:
        """Adds a service."""
    def unregisterService(self, _1: int, /) -> None:
        """Removes one."""
    def machineId(self) -> str:
        """Id of the machine."""
    serviceAdded: Any
    serviceRemoved: Any

class DCM(ALProxy):
    """Sensors and actuators, close to the hardware."""
    def getTime(self, _1: Any, /) -> Any:
        """Milliseconds of the robot's clock, plus an offset."""
    def set(self, _1: Any, /) -> Any:
        """Commands an actuator over time."""
    def setAlias(self, _1: Any, /) -> Any:
        """Commands a group of actuators."""
    def createAlias(self, _1: Any, /) -> Any:
        """Makes a group of actuators."""
    def preferences(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Writes a setting."""
    def getPrefix(self) -> Any:
        """Prefix of memory keys."""
    def calibration(self, _1: Any, /) -> Any:
        """Calibrates."""
    def special(self, _1: Any, /) -> Any:
        """Special commands."""

class ALRobotModel(ALProxy):
    """Which robot it is."""
    def getRobotType(self) -> Any:
        """Type."""
    def hasArms(self) -> bool:
        """Whether it has arms."""
    def hasHands(self) -> bool:
        """Whether it has hands."""
    def hasLegs(self) -> bool:
        """Whether it has legs."""
    def getConfig(self) -> str:
        """Configuration."""
    def getConfigMap(self) -> Any:
        """Configuration."""
    def _getRobotTypeString(self) -> str:
        """Undocumented: Nao, Juliette."""
    def _hasTouchSensorInHands(self) -> bool:
        """Undocumented."""
    def _getConfigMap(self) -> Any:
        """Undocumented."""
    def _isMacroSensorActive(self, _1: Any, /) -> Any:
        """Undocumented."""
    def isInSimulation(self) -> Any:
        """Whether the robot is simulated."""
    def _getSubModel(self) -> Any:
        """Undocumented."""

class ALLogger(ALProxy):
    """Log of the robot."""
    def debug(self, _1: str, _2: str, /) -> None:
        """Writes a line."""
    def info(self, _1: str, _2: str, /) -> None:
        """Writes a line."""
    def warn(self, _1: str, _2: str, /) -> None:
        """Writes a line."""
    def error(self, _1: str, _2: str, /) -> None:
        """Writes a line."""
    def fatal(self, _1: str, _2: str, /) -> None:
        """Writes a line."""
    def verbose(self, _1: Any, _2: Any, /) -> Any:
        """Writes a line."""
    def setVerbosity(self, _1: Any, /) -> Any:
        """Least level that is written."""
    def verbosity(self) -> Any:
        """Least level that is written."""

class LogManager(ALProxy):
    """Log of the robot."""
    def createListener(self) -> LogListener:
        """Object that gets the lines of the log."""
    def getListener(self) -> LogListener:
        """Object that gets the lines of the log."""
    def log(self, _1: Any, /) -> None:
        """Writes lines."""
    def addProvider(self, _1: Any, /) -> int:
        """Adds a source."""
    def removeProvider(self, _1: int, /) -> None:
        """Removes a source."""

class ALConnectionManager(ALProxy):
    """Networks."""
    def state(self) -> Any:
        """online, ready, offline …."""
    def services(self) -> Any:
        """Networks in reach."""
    def service(self, _1: Any, /) -> Any:
        """One network."""
    def technologies(self) -> Any:
        """ethernet, wifi, bluetooth."""
    @overload
    def scan(self) -> Any:
        """Looks for networks."""
    @overload
    def scan(self, _1: Any, /) -> Any:
        """Looks for networks."""
    def connect(self, _1: Any, /) -> Any:
        """Connects."""
    def disconnect(self, _1: Any, /) -> Any:
        """Disconnects."""
    def forget(self, _1: Any, /) -> Any:
        """Forgets a network."""
    def setServiceConfiguration(self, _1: Any, /) -> Any:
        """Settings of a network."""
    def setServiceInput(self, _1: Any, /) -> Any:
        """Key of a network."""
    @overload
    def enableTethering(self, _1: Any, /) -> Any:
        """Shares the network."""
    @overload
    def enableTethering(self, _1: Any, _2: Any, /) -> Any:
        """Shares the network."""
    @overload
    def enableTethering(self, _1: Any, _2: Any, _3: Any, /) -> Any:
        """Shares the network."""
    @overload
    def enableTethering(self, _1: Any, _2: Any, _3: Any, _4: Any, /) -> Any:
        """Shares the network."""
    def disableTethering(self, _1: Any, /) -> Any:
        """No longer shares it."""
    def getTetheringEnable(self, _1: Any, /) -> Any:
        """Whether it shares."""
    def tetheringName(self, _1: Any, /) -> Any:
        """Name it shares under."""
    def tetheringPassphrase(self, _1: Any, /) -> Any:
        """Key it shares under."""
    def interfaces(self) -> Any:
        """Interfaces."""
    def countries(self) -> Any:
        """Countries."""
    def country(self) -> Any:
        """Country."""
    def setCountry(self, _1: Any, /) -> Any:
        """Country."""

class LogListener(client.Service):
    """Gets the lines of the log that pass its filters."""
    def setLevel(self, _1: int, /) -> None:
        """Least important level that it gets, 0 (silent) to 6 (debug)."""
    def setVerbosity(self, _1: int, /) -> None:
        """Older name of setLevel."""
    def addFilter(self, _1: str, _2: int, /) -> None:
        """Level for categories of this name, in which * stands for any text."""
    def setCategory(self, _1: str, _2: int, /) -> None:
        """Older name of addFilter."""
    def clearFilters(self) -> None:
        """Forgets its filters."""
    onLogMessage: Any

class ExpressionObject(client.Service):
    """A condition that is watched."""
    signal: Any
