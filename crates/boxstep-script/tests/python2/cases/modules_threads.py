import Queue, thread, dummy_thread, mutex, threading
q = Queue.Queue()
lock = thread.allocate_lock()
def work(n):
    q.put(n * 2)
thread.start_new_thread(work, (4,))
print q.get(), lock.acquire(), lock.locked(), isinstance(Queue.Empty(), Exception)
m = mutex.mutex()
m.lock(lambda x: q.put(x), "held")
print q.get(), m.test(), dummy_thread.get_ident() is not None, threading.activeCount() >= 1
