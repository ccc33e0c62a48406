// What the service has answered under one login: hints for menus, and when its permits end. `Logins` owns one for each
// login. It is kept in memory only and is dropped with the login. Contract: access-enabler.md §14.1, §15.1; rest-v2.md
// §8.

struct AnswerCache: Sendable {
    struct Hints: Sendable {
        let resources: Set<ExactText>
        let decisions: [ServiceDecision]
        let ends: BootTime
    }

    var hints: Hints?
    /// When permits end, by resource. Above the limit, the one that ends first is dropped.
    private var ends: [ExactText: ServerTime] = [:]
    private static let limit = 256

    /// The hints for the same set of resources, in any order, or nil if there are none or they are out of date.
    func hints(for resources: [ResourceID], at now: BootTime) -> [ServiceDecision]? {
        guard let hints, now < hints.ends, hints.resources == Set(resources.map(ExactText.init)) else { return nil }
        let byResource = Dictionary(hints.decisions.map { (ExactText($0.resource), $0) }) { first, _ in first }
        let found = resources.compactMap { byResource[ExactText($0)] }
        return found.count == resources.count ? found : nil
    }

    func end(of resource: ResourceID) -> ServerTime? { ends[ExactText(resource)] }

    mutating func remember(_ resource: ResourceID, until end: ServerTime?) {
        ends[ExactText(resource)] = end
        while ends.count > Self.limit, let oldest = ends.min(by: { $0.value < $1.value })?.key { ends[oldest] = nil }
    }
}
