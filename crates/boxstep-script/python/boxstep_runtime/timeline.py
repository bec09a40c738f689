"""The timeline of a box, for its script."""
from . import state


class Timeline(object):
    """A box's own timeline, or its parent's. If there is none, commands do nothing and queries return 0."""

    def __init__(self, number, parent):
        self._number = number
        self._parent = parent

    def _do(self, command, argument=None):
        return state.bridge.timeline(self._number, self._parent, command, argument)

    def play(self):
        """Plays from the current frame to the end."""
        self._do("play")

    def pause(self):
        """Stops the cursor where it is."""
        self._do("pause")

    def stop(self):
        """Ends the timeline."""
        self._do("stop")

    def goTo(self, frame):
        """Moves the cursor to a frame number, or to a keyframe by its name."""
        self._do("goto", frame)

    def getSize(self):
        """Returns the end frame minus the start frame."""
        return self._do("size") or 0

    def getFPS(self):
        """Returns the frames per second."""
        return self._do("fps") or 0

    def setFPS(self, fps):
        """Sets the frames per second from now on."""
        self._do("set_fps", fps)

    def gotoAndPlay(self, frame):
        self.goTo(frame)
        self.play()

    def gotoAndStop(self, frame):
        self.pause()
        self.goTo(frame)

    def exists(self):
        return bool(self._do("exists"))
