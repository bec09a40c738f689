# Python 2: listens for words for a while, without callbacks, and lights the eyes.
import time
from naoqi import ALProxy

IP, PORT = "nao.local", 9559
asr = ALProxy("ALSpeechRecognition", IP, PORT)
memory = ALProxy("ALMemory", IP, PORT)
leds = ALProxy("ALLeds", IP, PORT)
tts = ALProxy("ALTextToSpeech", IP, PORT)

asr.pause(True)
asr.setLanguage("English")
asr.setVocabulary(["red", "blue", "stop"], False)
asr.pause(False)
asr.subscribe("words")
memory.insertData("WordRecognized", ["", 0.0])
colors = {"red": 0xFF0000, "blue": 0x0000FF}
try:
    for second in xrange(20):
        word, confidence = memory.getData("WordRecognized")[:2]
        if word and confidence > 0.4:
            memory.insertData("WordRecognized", ["", 0.0])
            if word == "stop":
                break
            leds.fadeRGB("FaceLeds", colors[word], 0.2)
            tts.say("my eyes are " + word)
        time.sleep(1)
finally:
    asr.unsubscribe("words")
print "heard enough after", second, "seconds"
