// The signals that end or reload the daemon, as Dispatch sources.
//
// On Linux, libdispatch catches a signal with its own handler, on the thread where it arrives, and forwards it to a
// signalfd. Blocking the signals instead would not work, because `dispatchMain` parks the main thread with all signals
// unblocked. libdispatch's own threads block every signal, and child processes inherit that. Code that starts a child has
// to reset its mask and SIGPIPE (`posix_spawnattr_setsigmask`, `posix_spawnattr_setsigdefault`).

public import Dispatch
import Glibc

public enum ServiceSignal: CaseIterable, Sendable {
    /// SIGTERM and SIGINT: the daemon finishes commits, closes, and exits with 0.
    case stop, interrupt
    /// SIGHUP.
    case reload

    var number: Int32 {
        switch self {
        case .stop: SIGTERM
        case .interrupt: SIGINT
        case .reload: SIGHUP
        }
    }
}

/// The queue for signals and the watchdog, which must work even while the engine is stuck. They share a queue, because
/// libdispatch starts a thread for each queue that has work. docs/decisions/0022.
enum ServiceQueue { static let shared = DispatchQueue(label: "passd.service") }

public final class SignalSources: @unchecked Sendable {
    private let registry = ServiceQueue.shared
    // Used only on the queue `registry`.
    private var sources: [any DispatchSourceSignal] = []

    /// Installs the sources. From now on, the signals call the handler on the queue. Writing to a peer that is gone fails
    /// with an error instead of SIGPIPE. Until this returns, the signals end the process. The process has no data yet, so
    /// nothing is lost.
    public init(queue: DispatchQueue, _ handler: @escaping @Sendable (ServiceSignal) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        let registered = DispatchGroup()
        registry.sync {
            for signal in ServiceSignal.allCases {
                let source = DispatchSource.makeSignalSource(signal: signal.number, queue: registry)
                source.setEventHandler { queue.async { handler(signal) } }
                registered.enter()
                source.setRegistrationHandler { registered.leave() }
                source.activate()
                sources.append(source)
            }
        }
        registered.wait()
    }

    deinit { cancel() }

    /// Stops calling the handler. The signals are ignored from then on.
    public func cancel() {
        registry.sync {
            for source in sources { source.cancel() }
            sources = []
        }
    }
}
