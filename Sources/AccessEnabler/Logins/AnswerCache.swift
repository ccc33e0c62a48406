// Remembers the service's answers for one login: which resources menus may offer, and when the permits to play end. `Logins`
// owns one cache for each login. The cache is only in memory, and is dropped with the login. Contract: access-enabler.md §14,
// §15.1; rest-v2.md §8.

struct AnswerCache: Sendable {
    private struct Hint: Sendable {
        let decision: ServiceDecision
        let ends: BootTime
    }

    /// Permits for menus, by resource. Denied and omitted resources are not kept, because the viewer may buy them at any
    /// time.
    private var hints: [ResourceID: Hint] = [:]
    /// For each resource, the date on which the permit to play it ends.
    private var ends: [ResourceID: ServerTime] = [:]
    var metadata = MetadataReading.open
    /// The time of the service's last answer that contained this login; nil if there was none since the start.
    var confirmed: BootTime?
    /// The time when the app last used this login; nil if the app has not used the login since the start.
    var used: BootTime?
    /// The max number of entries of each kind. If there are more, the entry that ends first is evicted.
    private static let limit = 256

    /// The permit for a menu, or nil if there is none or it has expired.
    func hint(for resource: ResourceID, at now: BootTime) -> ServiceDecision? {
        hints[resource].flatMap { now < $0.ends ? $0.decision : nil }
    }

    /// Remembers the permits among the decisions, and forgets earlier permits that the decisions replace.
    mutating func remember(_ decisions: [ServiceDecision], until end: BootTime) {
        for decision in decisions {
            hints[decision.resource] = decision.isAuthorized ? Hint(decision: decision, ends: end) : nil
        }
        while hints.count > Self.limit, let oldest = hints.min(by: { $0.value.ends < $1.value.ends })?.key {
            hints[oldest] = nil
        }
    }

    func end(of resource: ResourceID) -> ServerTime? { ends[resource] }

    mutating func remember(_ resource: ResourceID, until end: ServerTime?) {
        ends[resource] = end
        while ends.count > Self.limit, let oldest = ends.min(by: { $0.value < $1.value })?.key { ends[oldest] = nil }
    }
}

/// Decides when the viewer's metadata are read again after an authorization. They are read after the first authorization for a
/// login, because some providers send household and rating only then. After a later authorization, they are read only if the
/// last read found a change. For most providers, an authorization changes nothing. Contract: rest-v2.md §8, §9.
enum MetadataReading: Hashable, Sendable {
    /// No authorization yet, or the metadata could not be read.
    case open
    /// A read is under way. If another authorization came after its start, the result may be out of date.
    case underWay(isOutdated: Bool)
    /// The last read has brought something new.
    case changing
    /// The last read has brought nothing new.
    case settled

    /// The service has answered with a new authorization. Returns whether to read the metadata now.
    mutating func authorized() -> Bool {
        switch self {
        case .open, .changing:
            self = .underWay(isOutdated: false)
            return true
        case .underWay:
            self = .underWay(isOutdated: true)
            return false
        case .settled: return false
        }
    }

    /// The read has ended; `hasNews` is nil if it has failed. Returns whether to read once more.
    mutating func ended(hasNews: Bool?) -> Bool {
        guard case .underWay(let isOutdated) = self else { return false }
        guard let hasNews else {
            self = .open
            return false
        }
        self = isOutdated ? .underWay(isOutdated: false) : hasNews ? .changing : .settled
        return isOutdated
    }
}
