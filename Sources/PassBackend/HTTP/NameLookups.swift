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
        /// How long addresses are used if later lookups fail. The answer "no such host" counts as a failure, because a router
        /// without an internet connection may give this answer. Old addresses are safe, because TLS checks the name of the
        /// host. Addresses older than `lifetime` are called stale. The time in standby counts, too.
        var staleLifetime = Duration.seconds(24 * 3600)
        /// How long transfers wait for a new lookup before they use stale addresses.
        var staleWait = Duration.milliseconds(500)
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

    /// A transfer that need not wait any longer. Without addresses, it fails.
    struct Ready {
        let transfer: Transfer
        let addresses: NameLookups.Addresses
        let isStale: Bool
    }

    private struct Lookup {
        let since: ContinuousClock.Instant
        var waiting: [Transfer] = []
    }

    static let maxKnown = 32

    private let times: NameLookups.Times
    private let now: () -> ContinuousClock.Instant
    private var known: [String: (addresses: NameLookups.Addresses, since: ContinuousClock.Instant)] = [:]
    /// The lookups that have not ended.
    private var lookups: [String: Lookup] = [:]

    init(_ times: NameLookups.Times, now: @escaping () -> ContinuousClock.Instant = { .now }) {
        (self.times, self.now) = (times, now)
    }

    var count: Int { lookups.values.reduce(0) { $0 + $1.waiting.count } }

    func addresses(of name: String) -> NameLookups.Addresses? { addresses(of: name, within: times.lifetime) }

    private func addresses(of name: String, within lifetime: Duration) -> NameLookups.Addresses? {
        known[name].flatMap { now() - $0.since < lifetime ? $0.addresses : nil }
    }

    private func staleAddresses(of name: String, for transfer: Transfer) -> NameLookups.Addresses? {
        transfer.needsFreshAddress ? nil : addresses(of: name, within: times.staleLifetime)
    }

    /// Adds a waiting transfer. Returns whether the name has to be looked up.
    mutating func wait(_ transfer: Transfer, for name: String) -> Bool {
        let isFirst = lookups[name] == nil
        lookups[name, default: Lookup(since: now())].waiting.append(transfer)
        return isFirst
    }

    /// Returns the transfers that have waited for the name. If the lookup failed, they have stale addresses, or none. A
    /// failure is not cached.
    mutating func learn(_ addresses: NameLookups.Addresses, of name: String) -> [Ready] {
        if !addresses.isEmpty {
            known[name] = (addresses, now())
            if known.count > Self.maxKnown, let oldest = known.min(by: { $0.value.since < $1.value.since }) {
                known[oldest.key] = nil
            }
        }
        return (lookups.removeValue(forKey: name)?.waiting ?? []).map { transfer in
            addresses.isEmpty
                ? Ready(transfer: transfer, addresses: staleAddresses(of: name, for: transfer) ?? [], isStale: true)
                : Ready(transfer: transfer, addresses: addresses, isStale: false)
        }
    }

    /// Removes the transfer if it is waiting. Returns whether it was waiting.
    mutating func remove(_ transfer: Transfer) -> Bool {
        for (name, lookup) in lookups {
            guard let index = lookup.waiting.firstIndex(where: { $0 === transfer }) else { continue }
            lookups[name]?.waiting.remove(at: index)
            return true
        }
        return false
    }

    /// Removes and returns the transfers that do not wait for their lookups any longer: they use stale addresses, or have waited
    /// too long. The lookups continue.
    mutating func removeDue() -> [Ready] {
        let (time, all) = (now(), lookups)
        return all.flatMap { name, lookup in
            let due = lookup.waiting.filter { end(of: $0, lookup, name) <= time }
            lookups[name]?.waiting.removeAll { transfer in due.contains { $0 === transfer } }
            return due.map {
                Ready(transfer: $0, addresses: staleAddresses(of: name, for: $0) ?? [], isStale: true)
            }
        }
    }

    mutating func removeAll() -> [Transfer] {
        defer { lookups = [:] }
        return lookups.values.flatMap(\.waiting)
    }

    /// The milliseconds until `removeDue` has something to return. Nil if no transfer waits.
    var timeLeft: Int? {
        let ends = lookups.flatMap { name, lookup in lookup.waiting.map { end(of: $0, lookup, name) } }
        return ends.min().map { ($0 - now() + .microseconds(999)).milliseconds }
    }

    /// The time when the transfer stops waiting. If the lookup has run for `staleWait`, stale addresses are used at once.
    private func end(of transfer: Transfer, _ lookup: Lookup, _ name: String) -> ContinuousClock.Instant {
        staleAddresses(of: name, for: transfer) == nil
            ? transfer.lookupEnd : min(lookup.since + times.staleWait, transfer.lookupEnd)
    }
}
