// Runs blocking work on a thread of its own. Dispatch has a limited number of threads. Hundreds of tests that block
// them would also block the work for which they wait.

import Glibc

public enum OwnThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    public static func run(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(failure == 0, "no thread: \(String(cString: strerror(failure)))")
        pthread_detach(thread)
    }
}
