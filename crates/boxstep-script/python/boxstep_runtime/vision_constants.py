"""The constants of `vision_definitions`, as the documentation of ALVideoDevice numbers them."""


def _number(first, names):
    globals().update((name, first + index) for index, name in enumerate(names.split()))


_number(0, "kTopCamera kBottomCamera kDepthCamera")
_number(1, "kOV7670 kMT9M114 kOV5640 kXTION")
_number(0, "kQQVGA kQVGA kVGA k4VGA k16VGA k720p k1080p kQQQVGA kQQQQVGA")
k960p = 3
k1920p = 4
_number(0, "kYuvColorSpace kyUvColorSpace kyuVColorSpace kRgbColorSpace krGbColorSpace krgBColorSpace kHsvColorSpace "
           "khSvColorSpace khsVColorSpace kYUV422ColorSpace kYUVColorSpace kRGBColorSpace kHSVColorSpace "
           "kBGRColorSpace kYYCbCrColorSpace kH2RGBColorSpace kHSMixedColorSpace kDepthColorSpace kARGBColorSpace "
           "kXYZColorSpace kInfraredColorSpace kDistanceColorSpace")
kYUV422InterlacedColorSpace = 9
kHSYColorSpace = 12
_number(0, "kCameraBrightnessID kCameraContrastID kCameraSaturationID kCameraHueID kCameraRedChromaID "
           "kCameraBlueChromaID kCameraGainID kCameraHFlipID kCameraVFlipID kCameraLensXID kCameraLensYID "
           "kCameraAutoExpositionID kCameraAutoWhiteBalanceID kCameraAutoGainID kCameraResolutionID "
           "kCameraFrameRateID kCameraBufferSizeID kCameraExposureID kCameraSelectID kCameraSetDefaultParamsID "
           "kCameraColorSpaceID kCameraExposureCorrectionID kCameraExposureAlgorithmID kCameraFastSwitchID "
           "kCameraSharpnessID kCameraAwbGreenGainID kCameraAblcID kCameraAblcTargetID kCameraAblcStableRangeID "
           "kCameraBlcBlueID kCameraBlcRedID kCameraBlcGbID kCameraBlcGrID kCameraWhiteBalanceID "
           "kCameraBacklightCompensationID")
kCameraAecAlgorithmID = 22
