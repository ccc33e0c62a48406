import Glibc

/// The time that the processor has worked for this thread. Other programs of a busy machine do not lengthen it.
public func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
