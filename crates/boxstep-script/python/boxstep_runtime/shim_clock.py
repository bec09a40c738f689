"""Replaces Python's clocks and random numbers by the engine's clock and the run's seed."""
import sys
import time

_options = {}
_state = {"bridge": None}
_native = {}

# The start of clocks without a defined origin: a script may interpret zero as "never".
_START = 1000 * 10**9


def start_run(options):
    """Applies the options of a new run in this process."""
    _options.clear()
    _options.update(options)
    random = sys.modules.get("random")
    if random is not None:
        random.seed(options["seed"])


def install(bridge, options, importer):
    """Replaces the functions of `time`; returns {original: replacement}."""
    _state["bridge"] = bridge
    _options.update(options)
    replaced = {}

    def replace(name, value):
        if hasattr(time, name):
            _native[name] = getattr(time, name)
            replaced[_native[name]] = value
            setattr(time, name, value)

    replace("sleep", sleep)
    if options["virtual"]:
        # The machine's time zone is not part of the run.
        import os
        os.environ["TZ"] = "UTC"
        if hasattr(time, "tzset"):
            time.tzset()
        replace("time", _wall)
        replace("time_ns", _wall_ns)
        for name in ("monotonic", "perf_counter", "process_time", "thread_time"):
            replace(name, _counter)
            replace(name + "_ns", _counter_ns)
        for name in ("localtime", "gmtime", "ctime"):
            replace(name, _at_time(getattr(time, name)))
        for name, arguments in (("strftime", 2), ("asctime", 1)):
            replace(name, _at_tuple(getattr(time, name), arguments))
        importer.add("datetime", _change_datetime)
        importer.add("uuid", _change_uuid)
        replace("clock", _counter)
    if not hasattr(time, "clock"):
        # Python 2's function; a script that divides by its value must not get a zero.
        time.clock = time.perf_counter
    importer.add("random", lambda random: random.seed(_options["seed"]))
    importer.add("numpy.random", lambda random: random.seed(_options["seed"] & 0xFFFFFFFF))
    return replaced


def sleep(seconds):
    """`time.sleep`, on the run's clock."""
    if not isinstance(seconds, (int, float)):
        # Like Python's own, accepts anything with __index__ or __float__, but no text.
        if hasattr(seconds, "__index__"):
            seconds = seconds.__index__()
        elif hasattr(seconds, "__float__"):
            seconds = float(seconds)
        else:
            raise TypeError("a float is required, not '%s'" % type(seconds).__name__)
    if seconds != seconds:
        raise ValueError("Invalid value NaN (not a number)")
    if seconds < 0:
        if sys.version_info[0] == 2:
            raise IOError(22, "Invalid argument")
        raise ValueError("sleep length must be non-negative")
    ns = int(seconds * 10**9)
    if ns >= 2**63:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")
    bridge = _state["bridge"]
    if bridge.in_task():
        bridge.sleep(ns)
    else:
        _native["sleep"](seconds)


def _wall_ns():
    return _options["epoch"] * 10**9 + _state["bridge"].now()


def _wall():
    return _wall_ns() / 1e9


def _counter_ns():
    return _START + _state["bridge"].now()


def _counter():
    return _counter_ns() / 1e9


def _at_time(original):
    def function(seconds=None):
        return original(_wall() if seconds is None else seconds)

    function.__name__ = original.__name__
    return function


def _at_tuple(original, arguments):
    def function(*args):
        if len(args) == arguments - 1:
            args += (time.localtime(),)
        return original(*args)

    function.__name__ = original.__name__
    return function


def _change_datetime(module):
    """Replaces `datetime.now()` and similar functions. The C classes cannot be changed, so subclasses replace them."""
    real_datetime, real_date = module.datetime, module.date

    class _Instances(type):
        """Makes instances of the original classes instances of the replacements as well."""

        def __instancecheck__(cls, instance):
            real = cls.__dict__.get("_real")  # a script's own class derived from it has none
            return type.__instancecheck__(cls, instance) if real is None else isinstance(instance, real)

        def __subclasscheck__(cls, other):
            real = cls.__dict__.get("_real")
            return type.__subclasscheck__(cls, other) if real is None else issubclass(other, real)

    def _now(cls, tz=None):
        moment = real_datetime(1970, 1, 1) + module.timedelta(microseconds=_wall_ns() // 1000)
        if tz is not None:
            if not isinstance(tz, module.tzinfo):
                raise TypeError("tzinfo argument must be None or of a tzinfo subclass, not type '%s'" % type(tz).__name__)
            moment = tz.fromutc(moment.replace(tzinfo=tz))
        return cls.combine(moment.date(), moment.timetz())

    class OfDatetime(object):
        @classmethod
        def now(cls, tz=None):
            return _now(cls, tz)

        @classmethod
        def utcnow(cls):
            return _now(cls)

        @classmethod
        def today(cls):
            return _now(cls)

    class OfDate(object):
        @classmethod
        def today(cls):
            now = _now(real_datetime)
            return cls(now.year, now.month, now.day)

    # Called, not declared: how a class names its metaclass differs between Python 2 and 3.
    for real, own in ((real_datetime, OfDatetime), (real_date, OfDate)):
        names = dict((name, value) for name, value in own.__dict__.items() if isinstance(value, classmethod))
        names.update(_real=real, __doc__=real.__doc__, __module__="datetime")
        new = _Instances(real.__name__, (real,), names)
        new.__repr__ = _repr(new, real)
        setattr(module, real.__name__, new)


def _repr(new, real):
    def __repr__(self):
        text = real.__repr__(self)
        return "datetime." + text if type(self) is new else text

    return __repr__


def _change_uuid(module):
    from random import Random
    numbers = Random(_options["seed"])

    def uuid4():
        """Returns a random UUID from the run's seed."""
        return module.UUID(int=numbers.getrandbits(128), version=4)

    def uuid1(node=None, clock_seq=None):
        """Returns a UUID from the run's clock and seed."""
        # 100 ns since 1582-10-15; made unique as in the original.
        stamp = _wall_ns() // 100 + 0x01B21DD213814000
        stamp = max(stamp, _last_stamp[0] + 1)
        _last_stamp[0] = stamp
        if clock_seq is None:
            clock_seq = numbers.getrandbits(14)
        if node is None:
            node = _node
        fields = (stamp & 0xFFFFFFFF, (stamp >> 32) & 0xFFFF, (stamp >> 48) & 0x0FFF,
                  (clock_seq >> 8) & 0x3F, clock_seq & 0xFF, node)
        return module.UUID(fields=fields, version=1)

    _last_stamp = [0]
    # The bit that marks an address as not real.
    _node = numbers.getrandbits(48) | (1 << 40)
    module.uuid4 = uuid4
    module.uuid1 = uuid1
    module.getnode = lambda: _node
