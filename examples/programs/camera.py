# -*- coding: utf-8 -*-
# Python 2: takes a picture with the upper camera, and looks for the reddest place in it.
import sys
import vision_definitions
from naoqi import ALProxy


def main(ip, port=9559):
    camera = ALProxy("ALVideoDevice", ip, port)
    client = camera.subscribeCamera("example", 0, vision_definitions.kQVGA, vision_definitions.kRGBColorSpace, 5)
    try:
        image = camera.getImageRemote(client)
    finally:
        camera.unsubscribe(client)
    if image is None:
        print "no picture"
        sys.exit(1)
    width, height, layers, data = image[0], image[1], image[2], bytearray(image[6])
    print "a picture of %d x %d, %d bytes" % (width, height, len(data))
    reddest, at = 0, None
    for pixel in xrange(0, len(data), layers):
        redness = data[pixel] - max(data[pixel + 1], data[pixel + 2])
        if redness > reddest:
            reddest, at = redness, pixel // layers
    if reddest > 100:
        across, down = camera.getAngularPositionFromImagePosition(0, [at % width / float(width), at / width / float(height)])
        print "something red at %.2f, %.2f" % (across, down)
    else:
        print "nothing red"


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "nao.local")
