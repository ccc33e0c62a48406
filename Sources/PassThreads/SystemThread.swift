// Starts a thread without libdispatch. At the limit of threads, libdispatch sleeps until it can start a thread. This sleep may
// block the engine's queue. The daemon has few threads of its own, and each runs for a long time. docs/decisions/0022.

import CLinux
import Glibc

public enum SystemThread {
    private final class Body {
        let name: String
        let run: () -> Void

        init(_ name: String, _ run: @escaping () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// The signals of a fault. If a thread blocks them, the kernel ends the program without calling its handler.
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]

    /// Starts a thread. Returns false if the system allows no further thread. The thread gets only the signals of a fault; the
    /// main thread handles all others.
    public static func start(_ name: String, _ run: @escaping @Sendable () -> Void) -> Bool {
        var (all, former) = (sigset_t(), sigset_t())
        sigfillset(&all)
        for fault in faults { sigdelset(&all, fault) }
        pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(name, run))
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                pass_name_thread(body.name)
                body.run()
                return nil
            }, context.toOpaque())
        guard failure == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
