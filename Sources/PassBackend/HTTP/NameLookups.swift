// Looks up the names of hosts, for all HTTP clients together, on one thread. libcurl itself does not look up names, because it
// would start a thread for each lookup. With a silent name server, this thread would outlive the transfer. Callers of the same
// name share one lookup. Names whose last lookup was slow use a second thread, so that they do not delay other names.

import Glibc
import PassThreads
import Synchronization

final class NameLookups: Sendable {
    typealias Addresses = [String]
    typealias Lookup = @Sendable (String) -> Addresses

    struct Times: Sendable {
        /// The time for which addresses are used without another lookup.
        var lifetime = Duration.seconds(30)
        /// How long addresses are used if later lookups fail. Addresses older than `lifetime` are called stale.
        var staleLifetime = Duration.seconds(3600)
        /// How long a transfer waits for a new lookup before it uses stale addresses.
        var staleWait = Duration.seconds(1)
        /// A lookup that takes at least this long counts as slow.
        var slow = Duration.seconds(1)
    }

    static let shared = NameLookups(lookup: NameLookups.system)

    private static let maxAddresses = 16

    private static let maxSlow = 256

    private struct State {
        var waiting: [String: [@Sendable (Addresses) -> Void]] = [:]
        var slow: Set<String> = []
    }

    private let state = Mutex(State())
    private let thread = WorkThread<@Sendable () -> Void>("passd.names") { $0() }
    private let slowThread = WorkThread<@Sendable () -> Void>("passd.slownames") { $0() }
    private let lookup: Lookup
    let times: Times

    init(_ times: Times = Times(), lookup: @escaping Lookup) {
        self.lookup = lookup
        self.times = times
    }

    /// Calls `tell` with the addresses, on the thread of the lookups. The list is empty if the name has no address or the
    /// lookup fails.
    func look(up name: String, _ tell: @escaping @Sendable (Addresses) -> Void) {
        let (isFirst, isSlow) = state.withLock { state in
            state.waiting[name, default: []].append(tell)
            return (state.waiting[name]?.count == 1, state.slow.contains(name))
        }
        guard isFirst else { return }
        (isSlow ? slowThread : thread).add { [self] in
            let began = ContinuousClock.now
            let addresses = lookup(name)
            let tookLong = .now - began >= times.slow
            let all = state.withLock { state in
                if state.slow.count >= Self.maxSlow { state.slow = [] }
                if tookLong { state.slow.insert(name) } else { state.slow.remove(name) }
                return state.waiting.removeValue(forKey: name) ?? []
            }
            for tell in all { tell(addresses) }
        }
    }

    /// Returns the addresses in the order in which libcurl should try them.
    @Sendable private static func system(_ name: String) -> Addresses {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_family = hasVersion6 ? AF_UNSPEC : AF_INET
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: Addresses = []
        var next = list
        while let entry = next, addresses.count < maxAddresses {
            next = entry.pointee.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let failure = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard failure == 0 else { continue }
            let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            // A link-local address is left out, because libcurl has no option for the name of the interface that such an
            // address needs.
            if !address.contains("%") { addresses.append(address.contains(":") ? "[\(address)]" : address) }
        }
        return addresses
    }

    private static var hasVersion6: Bool {
        let probe = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { return false }
        close(probe)
        return true
    }
}

/// The transfers of one loop that wait for a name, and the names that the loop knows. Used on the loop's thread only.
struct NameQueue {
    /// The host or proxy whose address a transfer needs.
    struct Place: Hashable, Sendable {
        let name: String
        let port: Int

        /// The addresses of this place in the form for libcurl. Because of the `+`, libcurl forgets the addresses after
        /// some time, like the addresses of its own lookups.
        func entry(_ addresses: NameLookups.Addresses) -> String {
            "+\(name):\(port):\(addresses.joined(separator: ","))"
        }
    }

    private static let maxKnown = 32

    private struct Waiter {
        let transfer: Transfer
        let since: ContinuousClock.Instant
    }

    let times: NameLookups.Times
    private var known: [String: (addresses: NameLookups.Addresses, since: ContinuousClock.Instant)] = [:]
    /// The names that are being looked up.
    private var waiting: [String: [Waiter]] = [:]

    init(_ times: NameLookups.Times) { self.times = times }

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    func addresses(of name: String) -> NameLookups.Addresses? { addresses(of: name, within: times.lifetime) }

    private func addresses(of name: String, within lifetime: Duration) -> NameLookups.Addresses? {
        known[name].flatMap { .now - $0.since < lifetime ? $0.addresses : nil }
    }

    private func staleAddresses(of name: String) -> NameLookups.Addresses? {
        addresses(of: name, within: times.staleLifetime)
    }

    /// Adds a waiting transfer. Returns whether the name has to be looked up.
    mutating func wait(_ transfer: Transfer, for name: String) -> Bool {
        let isFirst = waiting[name] == nil
        waiting[name, default: []].append(Waiter(transfer: transfer, since: .now))
        return isFirst
    }

    /// Returns the transfers that have waited for the name, and the addresses that they can use. If the lookup failed,
    /// these are stale addresses, or none. A failure is not cached.
    mutating func learn(
        _ addresses: NameLookups.Addresses, of name: String
    ) -> (transfers: [Transfer], addresses: NameLookups.Addresses) {
        if !addresses.isEmpty {
            if known.count >= Self.maxKnown { known = [:] }
            known[name] = (addresses, .now)
        }
        let waiters = waiting.removeValue(forKey: name) ?? []
        return (waiters.map(\.transfer), staleAddresses(of: name) ?? [])
    }

    /// Removes the transfer if it is waiting. Returns whether it was waiting.
    mutating func remove(_ transfer: Transfer) -> Bool {
        for (name, waiters) in waiting {
            guard let index = waiters.firstIndex(where: { $0.transfer === transfer }) else { continue }
            waiting[name]?.remove(at: index)
            return true
        }
        return false
    }

    /// Removes and returns the transfers that have waited too long. Their lookups continue for later transfers.
    mutating func removeLate() -> [Transfer] {
        waiting.keys.flatMap { name in remove(of: name) { $0.transfer.hasWaitedTooLong } }
    }

    /// Removes the transfers that have to use stale addresses, because their lookups are slow. Returns these transfers with the
    /// addresses. The lookups continue.
    mutating func removeImpatient() -> [(Transfer, NameLookups.Addresses)] {
        let wait = times.staleWait
        return waiting.keys.flatMap { name in
            guard let addresses = staleAddresses(of: name) else { return [(Transfer, NameLookups.Addresses)]() }
            return remove(of: name) { .now - $0.since >= wait }.map { ($0, addresses) }
        }
    }

    /// Checks each waiter only once: time passes between two checks, and a transfer must not be both kept and returned.
    private mutating func remove(of name: String, where isDue: (Waiter) -> Bool) -> [Transfer] {
        let checked = (waiting[name] ?? []).map { (waiter: $0, isDue: isDue($0)) }
        waiting[name] = checked.filter { !$0.isDue }.map(\.waiter)
        return checked.filter(\.isDue).map(\.waiter.transfer)
    }

    mutating func removeAll() -> [Transfer] {
        defer { waiting = [:] }
        return waiting.values.joined().map(\.transfer)
    }

    /// The milliseconds until a waiting transfer either uses stale addresses or fails. Nil if no transfer waits.
    var lookupTimeLeft: Int? {
        waiting.map { name, waiters in
            let hasStale = staleAddresses(of: name) != nil
            return waiters.map { waiter in
                let wait = max(0, (times.staleWait - (.now - waiter.since)).milliseconds)
                return hasStale ? min(wait, waiter.transfer.lookupTimeLeft) : waiter.transfer.lookupTimeLeft
            }
        }.joined().min()
    }
}
