// The signals that end or reload the daemon, as Dispatch sources.
//
// On Linux libdispatch takes a signal with a handler of its own, on whatever thread it comes, and sends it on to its
// signalfd. Blocking the signals instead would not do: `dispatchMain` parks the main thread with all of them open.
// libdispatch's own threads block every signal, and a child process inherits that: whoever starts one resets its mask
// and SIGPIPE (`posix_spawnattr_setsigmask`, `posix_spawnattr_setsigdefault`).

import Dispatch
import Glibc

public enum ServiceSignal: CaseIterable, Sendable {
    /// SIGTERM and SIGINT: finish commits, close, exit 0.
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

public final class SignalSources: @unchecked Sendable {
    private let registry = DispatchQueue(label: "passd.signals")
    // Owned by the registry's queue.
    private var sources: [any DispatchSourceSignal] = []

    /// From here on the signals are calls of the handler on the queue, and writing to a peer that is gone is an error
    /// instead of the end. Until this returns they end the process, which has nothing to lose yet.
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

    /// The signals are then taken and forgotten.
    public func cancel() {
        registry.sync {
            for source in sources { source.cancel() }
            sources = []
        }
    }
}
