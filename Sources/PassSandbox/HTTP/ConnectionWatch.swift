// Ends connections that take too long for a request, even if they keep sending a few bytes. libmicrohttpd ends silent
// ones itself. A connection is ended by shutting its socket down: the polling thread notices that and cleans up as
// usual. May be used from any thread.

import Dispatch
import Glibc
import Synchronization

final class ConnectionWatch: Sendable {
    private let requestTime: Double
    /// From this number on, a new connection ends the one that has been waited for longest.
    private let most: Int
    private let deadlines = Mutex<[Int32: UInt64]>([:])
    private let queue = DispatchQueue(label: "pass-sandbox.connections")
    // libdispatch's sources may be used from any thread.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer

    init(requestTime: Double, most: Int) {
        self.requestTime = requestTime
        self.most = most
        timer = DispatchSource.makeTimerSource(queue: queue)
        let period = min(1, requestTime / 4)
        timer.schedule(deadline: .now() + period, repeating: period)
        timer.setEventHandler { [weak self] in self?.endOverdue() }
        timer.activate()
    }

    func stop() { timer.cancel() }

    /// Sets the deadline of a connection that begins, or that has got its answer and may send the next request.
    func renew(_ socket: Int32, extra: Double = 0) {
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64((requestTime + extra) * 1e9)
        deadlines.withLock { $0[socket] = deadline }
    }

    /// Watches a new connection. However many half-open connections there are, they do not keep others out.
    func begin(_ socket: Int32) {
        renew(socket)
        deadlines.withLock { deadlines in
            guard deadlines.count > most, let oldest = deadlines.min(by: { $0.value < $1.value })?.key, oldest != socket
            else { return }
            shutdown(oldest, Int32(SHUT_RDWR))
            // It must not be chosen again while it is being closed.
            deadlines[oldest] = .max
        }
    }

    /// To be called before the socket is closed, because its number may mean another connection afterwards.
    func forget(_ socket: Int32) { deadlines.withLock { _ = $0.removeValue(forKey: socket) } }

    private func endOverdue() {
        let now = DispatchTime.now().uptimeNanoseconds
        deadlines.withLock { deadlines in
            for (socket, deadline) in deadlines where deadline < now { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }
}
