// The signals that end or reload the daemon, as Dispatch sources.
//
// On Linux, libdispatch has a handler for signals. The handler runs on the thread that gets the signal. It forwards the signal
// to a signalfd, a descriptor for reading signals. passd does not block the signals, because `dispatchMain` would unblock all
// signals on the main thread anyway. The threads of libdispatch block every signal, and passd ignores SIGPIPE. Child processes
// inherit both, so code that starts a child has to reset both (`posix_spawnattr_setsigmask`, `posix_spawnattr_setsigdefault`).

public import Dispatch
import Glibc

public enum ServiceSignal: CaseIterable, Sendable {
    /// SIGTERM and SIGINT. The daemon commits all changes, closes its connections and the store, and exits with 0.
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

/// The queue for signals and the watchdog, which must work even while the engine is stuck. They share one
/// queue, because libdispatch could start another thread for a second queue. docs/decisions/0022.
enum ServiceQueue { static let shared = DispatchQueue(label: "passd.service") }

public final class SignalSources: @unchecked Sendable {
    private let registry = ServiceQueue.shared
    // Used only on the queue `registry`.
    private var sources: [any DispatchSourceSignal] = []

    /// Installs the sources, so that signals call `handler` on `queue`. Also ignores SIGPIPE, so that writing to a peer that is
    /// gone fails with an error. Until `init` returns, signals end the process, which at that time has no data to lose.
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

    /// Stops calling the handler. From then on, the signals are ignored.
    public func cancel() {
        registry.sync {
            for source in sources { source.cancel() }
            sources = []
        }
    }
}
