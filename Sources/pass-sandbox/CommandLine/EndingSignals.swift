// The signals that end the program. The signals are blocked before any thread starts, because threads inherit the block. One
// thread waits for the signals. If the parent ignored a signal, as `nohup` does, the signal stays ignored.

import CChild
import Glibc

struct EndingSignals {
    private var signals = sigset_t()

    /// Blocks the signals. With `ofChildren`, also blocks the signal that reports the end of a child program.
    init(ofChildren: Bool = false) {
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        for number in [SIGINT, SIGHUP] {
            var action = sigaction()
            sigaction(number, nil, &action)
            if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1 { sigaddset(&signals, number) }
        }
        if ofChildren {
            // If the parent ignored SIGCHLD, the kernel would discard the exit status of children.
            signal(SIGCHLD, SIG_DFL)
            sigaddset(&signals, SIGCHLD)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for a signal, and returns its number.
    @discardableResult func wait() -> Int32 {
        var signals = signals
        var number: Int32 = 0
        while sigwait(&signals, &number) != 0 {}
        return number
    }

    /// Waits for a signal and returns its number; nil if none comes within the time.
    func wait(milliseconds: Int) -> Int32? {
        var signals = signals
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let number = sigtimedwait(&signals, nil, &time)
        return number > 0 ? number : nil
    }
}
