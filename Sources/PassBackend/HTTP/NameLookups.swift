// Looks up the names of hosts, for all HTTP clients together, on one thread. libcurl would start a thread for each lookup,
// and such a thread stays as long as a name server does not answer, even if its transfer was given up. A lookup that
// others wait for is made once.

import Glibc
import PassThreads
import Synchronization

final class NameLookups: Sendable {
    typealias Addresses = [String]
    typealias Lookup = @Sendable (String) -> Addresses

    static let shared = NameLookups(NameLookups.system)

    private static let maxAddresses = 16

    private let waiting = Mutex([String: [@Sendable (Addresses) -> Void]]())
    private let thread: WorkThread<@Sendable () -> Void>
    private let lookup: Lookup

    init(_ lookup: @escaping Lookup) {
        self.lookup = lookup
        thread = WorkThread("passd.names") { $0() }
    }

    /// Calls `tell` on the thread of the lookups, with no addresses if the name has none or cannot be looked up.
    func look(up name: String, _ tell: @escaping @Sendable (Addresses) -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting[name, default: []].append(tell)
            return waiting[name]?.count == 1
        }
        guard isFirst else { return }
        thread.add { [self] in
            let addresses = lookup(name)
            let all = waiting.withLock { $0.removeValue(forKey: name) ?? [] }
            for tell in all { tell(addresses) }
        }
    }

    /// In the order in which they should be tried.
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
            // libcurl cannot be told the interface of a link-local address.
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

/// The transfers of one loop that wait for a name, and the names that it knows. Used on the loop's thread only.
struct NameQueue {
    /// The host whose address a transfer needs, or its proxy's.
    struct Place: Hashable, Sendable {
        let name: String
        let port: Int

        /// What libcurl takes as the addresses of this place; `+` lets it forget them.
        func entry(_ addresses: NameLookups.Addresses) -> String {
            "+\(name):\(port):\(addresses.joined(separator: ","))"
        }
    }

    private static let maxKnown = 32
    private static let lifetime = Duration.seconds(30)

    private var known: [String: (addresses: NameLookups.Addresses, until: ContinuousClock.Instant)] = [:]
    /// The names that are being looked up.
    private var waiting: [String: [Transfer]] = [:]

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// The addresses if they are known.
    func addresses(of name: String) -> NameLookups.Addresses? {
        known[name].flatMap { $0.until > .now ? $0.addresses : nil }
    }

    /// Returns whether the name has to be looked up.
    mutating func wait(_ transfer: Transfer, for name: String) -> Bool {
        let isFirst = waiting[name] == nil
        waiting[name, default: []].append(transfer)
        return isFirst
    }

    /// Returns those that have waited for the name. A failure is not remembered.
    mutating func learn(_ addresses: NameLookups.Addresses, of name: String) -> [Transfer] {
        if known.count >= Self.maxKnown { known = [:] }
        known[name] = addresses.isEmpty ? nil : (addresses, .now + Self.lifetime)
        return waiting.removeValue(forKey: name) ?? []
    }

    /// Returns whether it was among them.
    mutating func remove(_ transfer: Transfer) -> Bool {
        for (name, transfers) in waiting {
            guard let index = transfers.firstIndex(where: { $0 === transfer }) else { continue }
            waiting[name]?.remove(at: index)
            return true
        }
        return false
    }

    /// Those that have waited too long. The lookup goes on for those that come later.
    mutating func removeLate() -> [Transfer] {
        var late: [Transfer] = []
        for (name, transfers) in waiting {
            var rest: [Transfer] = []
            // Each is asked once: time passes between two looks, and a transfer must be in one of the two lists.
            for transfer in transfers {
                if transfer.hasWaitedTooLong { late.append(transfer) } else { rest.append(transfer) }
            }
            waiting[name] = rest
        }
        return late
    }

    mutating func removeAll() -> [Transfer] {
        defer { waiting = [:] }
        return waiting.values.flatMap(\.self)
    }

    /// The milliseconds until the next one has waited too long; nil if none waits.
    var patience: Int? { waiting.values.joined().map(\.patience).min() }
}
