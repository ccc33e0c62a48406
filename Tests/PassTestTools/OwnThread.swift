// Runs something that blocks on a thread of its own. Dispatch has a bounded number of threads, and hundreds of tests that
// wait on them would keep what they wait for from running.

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
