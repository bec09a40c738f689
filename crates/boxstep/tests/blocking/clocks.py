# main: 1
# virtual only
import datetime, random, time, uuid

def main0():
    log(time.time(), time.time_ns(), time.clock() == time.perf_counter() == time.monotonic())
    time.sleep(1.5)
    log(time.monotonic() - 1000, time.perf_counter_ns(), time.process_time() - 1000)
    log(time.strftime("%H:%M:%S"), time.ctime(), time.gmtime()[:6], time.localtime().tm_zone)
    now = datetime.datetime.now()
    log(now, datetime.datetime.utcnow() == now, datetime.date.today(), datetime.datetime.now(datetime.timezone.utc))
    then = now - datetime.timedelta(days=1)
    log(isinstance(then, datetime.datetime), isinstance(then, datetime.date), then.strftime("%d.%m"), repr(then))
    log(isinstance(datetime.date(2020, 1, 1), datetime.datetime), type(now).__name__)
    log(random.random(), uuid.uuid4(), uuid.uuid1().time - uuid.uuid1().time)
    for _ in range(3000):
        time.time()
#= 0.000 1577836800.0 1577836800000000000 True
#= 1.500 1.5 1001500000000 1.5
#= 1.500 00:00:01 Wed Jan  1 00:00:01 2020 (2020, 1, 1, 0, 0, 1) UTC
#= 1.500 2020-01-01 00:00:01.500000 True 2020-01-01 2020-01-01 00:00:01.500000+00:00
#= 1.500 True True 31.12 datetime.datetime(2019, 12, 31, 0, 0, 1, 500000)
#= 1.500 False datetime
#= 1.500 0.8444218515250481 0a5d2f34-6baa-4455-a3e7-0682c2094cac -1
