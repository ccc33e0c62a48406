// The only thread that uses libcurl. It runs one loop around `curl_multi_poll`, and sleeps there until a socket, a
// timeout or `curl_multi_wakeup` wakes it. Other threads only add to its inbox. The first request starts the thread and
// loads the library.

import CCurl
import Glibc
import PassThreads
import Synchronization

final class HTTPLoop: @unchecked Sendable {
    /// Wakes the loop from other threads, as libcurl allows.
    private struct Bell: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer

        func ring() { pass_curl_multi_wakeup(multi) }
    }

    private struct Inbox {
        var submitted: [Transfer] = []
        var cancelled: [Transfer] = []
        /// The results of the lookups that have ended.
        var found: [(name: String, NameLookups.Addresses)] = []
        var isClosing = false
        var hasThread = false
        /// Wakes the loop. Nil while the loop has no thread.
        var bell: Bell?
    }

    /// The loop of all services of the box. This loop ends with the program.
    static let shared = HTTPLoop()

    private static let connectionsPerHost = 6
    /// The max number of connections. This number is enough for nine services with six connections each, so that a service that
    /// does not answer cannot use up the connections of the others.
    private static let connections = 54
    private static let idleConnections = 12
    /// Connections survive a standby that is shorter than this.
    private static let shortStandby = Duration.seconds(1)

    private let inbox = Mutex(Inbox())
    private let inFlight = Atomic(0)
    // The properties below are used on the loop's thread only.
    private var names: NameQueue
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var multi: UnsafeMutableRawPointer?
    /// Whether there may be connections from before a standby. Such connections may be dead, although libcurl does not know
    /// this yet.
    private var hasOldConnections = false
    private var lastTimeAsleep: Duration

    private let lookups: NameLookups
    private let timeAsleep: @Sendable () -> Duration

    init(_ lookups: NameLookups = .shared, timeAsleep: @escaping @Sendable () -> Duration = HTTPLoop.timeAsleep) {
        self.lookups = lookups
        self.timeAsleep = timeAsleep
        names = NameQueue(lookups.times)
        lastTimeAsleep = timeAsleep()
    }

    private static let began = (ContinuousClock.now, SuspendingClock.now)

    /// How long the box has been in standby since this function was first called. libcurl's clock does not count this time.
    @Sendable private static func timeAsleep() -> Duration {
        (ContinuousClock.now - began.0) - (SuspendingClock.now - began.1)
    }

    /// The result of the library's initialization. The library is initialized once for all loops, on any thread.
    private static let initialized: CURLcode = pass_curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// For tests: the number of transfers in libcurl.
    var transferCount: Int { inFlight.load(ordering: .sequentiallyConsistent) }

    /// For tests: whether other threads can wake the loop.
    var hasBell: Bool { inbox.withLock { $0.bell != nil } }

    /// Returns the fault if the loop does not accept the transfer.
    func submit(_ transfer: Transfer) -> HTTPFault? {
        inbox.withLock { inbox -> HTTPFault? in
            if inbox.isClosing { return .closed }
            // Checked under the lock, so that no cancellation is lost. An earlier cancellation is seen here, and a later one
            // enters the inbox after the transfer.
            if Task.isCancelled { return .cancelled }
            inbox.submitted.append(transfer)
            if inbox.hasThread {
                inbox.bell?.ring()
            } else {
                inbox.hasThread = SystemThread.start("passd.http") { self.run() }
                guard inbox.hasThread else {
                    inbox.submitted = []
                    return .noLibrary("the system allows no further thread")
                }
            }
            return nil
        }
    }

    func cancel(_ transfer: Transfer) {
        inbox.withLock { inbox in
            guard inbox.hasThread else { return }
            inbox.cancelled.append(transfer)
            inbox.bell?.ring()
        }
    }

    func close() {
        inbox.withLock { inbox in
            inbox.isClosing = true
            inbox.bell?.ring()
        }
    }

    private func run() {
        do throws(HTTPFault) { try open() } catch { return giveUp(error) }
        while takeInbox() {
            var running: Int32 = 0
            let performed = pass_curl_multi_perform(multi, &running)
            takeMessages()
            inFlight.store(active.count + names.count, ordering: .sequentiallyConsistent)
            // Only lookups of names limit the wait, because `curl_multi_poll` returns early for libcurl's own timeouts.
            let polled = pass_curl_multi_poll(multi, Int32(clamping: names.timeLeft ?? .max))
            // After a serious fault, such as lack of memory, a pause keeps the loop from spinning.
            if performed != CURLM_OK || polled != CURLM_OK { usleep(100_000) }
        }
        for transfer in names.removeAll() { transfer.finish(throwing: .closed) }
        for transfer in active.values { remove(transfer).finish(throwing: .closed) }
        pass_curl_multi_cleanup(multi)
        inFlight.store(0, ordering: .sequentiallyConsistent)
    }

    private func open() throws(HTTPFault) {
        if let reason = pass_curl_load() { throw .noLibrary(String(cString: reason)) }
        guard Self.initialized == CURLE_OK, let multi = pass_curl_multi_init() else {
            throw .noLibrary("it cannot be initialized")
        }
        pass_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsPerHost)
        pass_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.connections)
        pass_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.idleConnections)
        let bell = Bell(multi: multi)
        // While the loop is closing, there must be no bell, because another thread could ring the bell of a freed handle.
        inbox.withLock { $0.bell = $0.isClosing ? nil : bell }
        self.multi = multi
    }

    /// Fails the submitted transfers. The next request tries again, because the library may have been installed by then.
    private func giveUp(_ fault: HTTPFault) {
        let submitted = inbox.withLock { inbox in
            defer { (inbox.submitted, inbox.cancelled, inbox.found, inbox.hasThread) = ([], [], [], false) }
            return inbox.submitted
        }
        for transfer in submitted { transfer.finish(throwing: fault) }
    }

    /// Does what other threads have asked for in the inbox. Returns false if the loop has to end.
    private func takeInbox() -> Bool {
        let taken = inbox.withLock { inbox in
            let taken = inbox
            inbox.submitted = []
            inbox.cancelled = []
            inbox.found = []
            if inbox.isClosing { (inbox.bell, inbox.hasThread) = (nil, false) }
            return taken
        }
        for (name, found) in taken.found {
            for ready in names.learn(found, of: name) { begin(ready, else: .dns) }
        }
        for transfer in taken.submitted { take(transfer) }
        for transfer in taken.cancelled {
            if transfer.handle.flatMap({ active[$0] }) === transfer {
                remove(transfer).finish(throwing: .cancelled)
            } else if names.remove(transfer) {
                transfer.finish(throwing: .cancelled)
            }
        }
        for ready in names.removeDue() { begin(ready, else: .timeout(wasSent: false)) }
        return !taken.isClosing
    }

    /// Begins the transfer once the addresses of its host are known.
    private func take(_ transfer: Transfer) {
        guard let name = transfer.place?.name else { return begin(transfer) }
        if let addresses = names.addresses(of: name) { return begin(transfer, at: addresses) }
        guard names.wait(transfer, for: name) else { return }
        lookups.look(up: name) { [weak self] addresses in
            self?.inbox.withLock { inbox in
                inbox.found.append((name, addresses))
                inbox.bell?.ring()
            }
        }
    }

    private func begin(_ ready: NameQueue.Ready, else fault: HTTPFault) {
        guard !ready.addresses.isEmpty else { return ready.transfer.finishWithoutAddress(fault) }
        begin(ready.transfer, at: ready.addresses, isStale: ready.isStale)
    }

    private func begin(_ transfer: Transfer, at addresses: NameLookups.Addresses = [], isStale: Bool = false) {
        leaveOldConnections()
        guard let handle = transfer.prepare(addresses, isStale: isStale, onNewConnection: hasOldConnections),
            pass_curl_multi_add_handle(multi, handle) == CURLM_OK
        else { return transfer.finish(throwing: .broken("libcurl did not accept the request")) }
        active[handle] = transfer
    }

    /// Closes all connections after a standby, as soon as no transfer uses them. Contract: operations.md §5.
    private func leaveOldConnections() {
        let time = timeAsleep()
        if time - lastTimeAsleep >= Self.shortStandby { hasOldConnections = true }
        lastTimeAsleep = time
        guard hasOldConnections, active.isEmpty, let old = multi, (try? open()) != nil else { return }
        pass_curl_multi_cleanup(old)
        hasOldConnections = false
        // If another thread has rung the old bell since the inbox was emptied, the inbox has to be read again.
        pass_curl_multi_wakeup(multi)
    }

    private func remove(_ transfer: Transfer) -> Transfer {
        if let handle = transfer.handle {
            active[handle] = nil
            pass_curl_multi_remove_handle(multi, handle)
        }
        return transfer
    }

    private func takeMessages() {
        var remaining: Int32 = 0
        while let message = pass_curl_multi_info_read(multi, &remaining) {
            // The message is invalid once the handle is removed, so the code is copied first.
            let code = message.pointee.data.result
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = active[handle]
            else { continue }
            if remove(transfer).needsFreshAddress(after: code) { take(transfer) } else { transfer.finish(code) }
        }
    }
}
