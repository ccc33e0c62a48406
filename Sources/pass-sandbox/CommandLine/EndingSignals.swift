// The signals that end the program. They are blocked before any thread starts, so that every thread inherits that, and
// one thread waits for them. A signal that the parent ignored, as `nohup` does, stays ignored.

import CChild
import Glibc

struct EndingSignals {
    private var signals = sigset_t()

    /// With `ofChildren`, the end of a child program is waited for as well.
    init(ofChildren: Bool = false) {
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        for number in [SIGINT, SIGHUP] {
            var action = sigaction()
            sigaction(number, nil, &action)
            if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1 { sigaddset(&signals, number) }
        }
        if ofChildren {
            // The parent may have ignored it, and the kernel would then forget how a child ended.
            signal(SIGCHLD, SIG_DFL)
            sigaddset(&signals, SIGCHLD)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns the number of the signal.
    @discardableResult func wait() -> Int32 {
        var signals = signals
        var number: Int32 = 0
        while sigwait(&signals, &number) != 0 {}
        return number
    }

    /// Returns nil if no signal has come in this time.
    func wait(milliseconds: Int) -> Int32? {
        var signals = signals
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let number = sigtimedwait(&signals, nil, &time)
        return number > 0 ? number : nil
    }
}
