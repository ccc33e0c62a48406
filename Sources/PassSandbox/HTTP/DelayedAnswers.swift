// Holds back answers. Each connection is woken once: when its time has come, or when the server stops, since
// libmicrohttpd must not be stopped while a connection sleeps.

import CMicroHTTPD
import Dispatch
import Synchronization

final class DelayedAnswers: Sendable {
    /// The most connections that may sleep; they count towards the server's limit.
    private static let most = 256

    private struct Sleeping: @unchecked Sendable { let connection: OpaquePointer }

    private struct Beds {
        var sleeping: [UInt64: Sleeping] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private let beds = Mutex(Beds())

    /// Suspends the connection for `delay` milliseconds. False if the server is stopping or too many connections sleep
    /// already; the answer is then sent at once.
    func suspend(_ connection: OpaquePointer, for delay: Int64) -> Bool {
        let number: UInt64? = beds.withLock { beds in
            guard !beds.isClosed, beds.sleeping.count < Self.most else { return nil }
            MHD_suspend_connection(connection)
            beds.next += 1
            beds.sleeping[beds.next] = Sleeping(connection: connection)
            return beds.next
        }
        guard let number else { return false }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in
            self?.wake(number)
        }
        return true
    }

    private func wake(_ number: UInt64) {
        beds.withLock { beds in
            if let sleeping = beds.sleeping.removeValue(forKey: number) { MHD_resume_connection(sleeping.connection) }
        }
    }

    func close() {
        beds.withLock { beds in
            beds.isClosed = true
            for sleeping in beds.sleeping.values { MHD_resume_connection(sleeping.connection) }
            beds.sleeping = [:]
        }
    }
}
