// The one thread that uses libcurl: a long-running block around `curl_multi_poll`, which sleeps until a socket, a
// timeout or `curl_multi_wakeup` wakes it. Other threads only add to its inbox.

import CCurl
import Dispatch
import Glibc
import Synchronization

final class HTTPLoop: @unchecked Sendable {
    private struct Inbox {
        var submitted: [Transfer] = []
        var cancelled: [Transfer] = []
        var isClosing = false
        /// The loop has ended and must not be woken.
        var isOver = false
    }

    private static let connectionsPerHost = 6
    private static let connections = 12

    // Thread-safe: the handle is constant, and the only function that is called from outside the loop is
    // `curl_multi_wakeup`, with the inbox locked while the loop is not over.
    private let multi: UnsafeMutableRawPointer?
    private let inbox = Mutex(Inbox())
    private let inFlight = Atomic(0)
    private let turns = Atomic(0)
    /// Used on the loop's thread only.
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]

    init() {
        _ = Self.library
        multi = curl_multi_init()
        pass_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsPerHost)
        pass_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.connections)
        pass_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.connections)
        DispatchQueue(label: "passd.http").async { self.run() }
    }

    private static let library: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    /// How many transfers libcurl has, and how often the loop has run; for tests.
    var transferCount: Int { inFlight.load(ordering: .sequentiallyConsistent) }
    var turnCount: Int { turns.load(ordering: .sequentiallyConsistent) }

    /// Hands the transfer to the loop. Returns the fault if it is not accepted.
    func submit(_ transfer: Transfer) -> HTTPFault? {
        inbox.withLock { inbox in
            if inbox.isClosing { return .closed }
            // Checked under the lock, so that a cancellation comes either before this line or after the submission.
            if Task.isCancelled { return .cancelled }
            inbox.submitted.append(transfer)
            curl_multi_wakeup(multi)
            return nil
        }
    }

    func cancel(_ transfer: Transfer) {
        inbox.withLock { inbox in
            guard !inbox.isOver else { return }
            inbox.cancelled.append(transfer)
            curl_multi_wakeup(multi)
        }
    }

    func close() {
        inbox.withLock { inbox in
            guard !inbox.isOver else { return }
            inbox.isClosing = true
            curl_multi_wakeup(multi)
        }
    }

    private func run() {
        while takeInbox() {
            var running: Int32 = 0
            let performed = curl_multi_perform(multi, &running)
            takeMessages()
            inFlight.store(active.count, ordering: .sequentiallyConsistent)
            turns.add(1, ordering: .sequentiallyConsistent)
            // libcurl returns for its own timeouts; without transfers it has none.
            let polled = curl_multi_poll(multi, nil, 0, Int32.max, nil)
            // Out of memory or worse: pause, so that the loop does not spin.
            if performed != CURLM_OK || polled != CURLM_OK { usleep(100_000) }
        }
        for transfer in active.values { remove(transfer).finish(throwing: .closed) }
        curl_multi_cleanup(multi)
        inFlight.store(0, ordering: .sequentiallyConsistent)
    }

    /// Returns false when the loop must end.
    private func takeInbox() -> Bool {
        let taken = inbox.withLock { inbox in
            let taken = inbox
            inbox.submitted = []
            inbox.cancelled = []
            inbox.isOver = inbox.isClosing
            return taken
        }
        for transfer in taken.submitted { begin(transfer) }
        for transfer in taken.cancelled where transfer.handle.flatMap({ active[$0] }) === transfer {
            remove(transfer).finish(throwing: .cancelled)
        }
        return !taken.isClosing
    }

    private func begin(_ transfer: Transfer) {
        guard let handle = transfer.prepare(), curl_multi_add_handle(multi, handle) == CURLM_OK else {
            return transfer.finish(throwing: .broken("libcurl cannot take the request"))
        }
        active[handle] = transfer
    }

    private func remove(_ transfer: Transfer) -> Transfer {
        if let handle = transfer.handle {
            active[handle] = nil
            curl_multi_remove_handle(multi, handle)
        }
        return transfer
    }

    private func takeMessages() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            // Removing the handle frees the message.
            let code = message.pointee.data.result
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = active[handle]
            else { continue }
            remove(transfer).finish(code)
        }
    }
}
