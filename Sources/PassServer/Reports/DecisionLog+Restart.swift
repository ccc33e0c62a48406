// Keeps refusals and ends of logins for the next process, so that support can explain them after a reboot. In place of the
// names of resources, the marks of the journal are kept. A logout removes the kept decisions of its requestor. See
// docs/storage-layouts.md.

import AccessEnabler
import PassJSON
import PassProtocol

extension DecisionLog {
    /// The max number of decisions of each kind for the next process.
    static let maxLasting: [Decisions.Kind: Int] = [.play: 24, .login: 10, .start: 6, .loginStart: 6, .logout: 4]
    static let maxLastingInAll = 50
    private static let lifetime = Duration.seconds(7 * 24 * 3600)
    private static let maxForgotten = 256
    private static let pause = Duration.seconds(5)

    private func isRecent(_ decision: Decisions.Decision) -> Bool {
        clock.wall.advanced(by: .zero - Self.lifetime).milliseconds <= decision.time
    }

    /// Takes over the decisions of the last process. From now on, `store` keeps the decisions of this process.
    func resume(_ former: String?, store: @escaping @Sendable (String?) async -> Void) {
        self.store = store
        let rows = former.flatMap { try? JSONReader.read(Array($0.utf8)) }?.array?.prefix(Self.maxLastingInAll) ?? []
        let decisions = rows.compactMap(Decisions.Decision.init).filter(isRecent)
        for (index, decision) in decisions.enumerated().reversed() {
            let entry = Entry(number: UInt64(index + 1), decision: decision, mark: decision.resource)
            entries[decision.kind, default: []].insert(entry, at: 0)
        }
        // Saving also removes decisions that have become too old.
        saveSoon()
    }

    /// Removes the present decisions about the requestor from those that the next process gets. Nil means all requestors.
    func forget(_ requestor: String?) {
        let name = forgotten.count < Self.maxForgotten ? requestor.map(Self.name) : nil
        if name == nil { forgotten = [:] }
        forgotten[name] = count
        Task { await save() }
    }

    /// Whether the next process may get the entry. It may if the entry is newer than the last call of `forget` for the entry's
    /// requestor.
    func mayLast(_ entry: Entry) -> Bool {
        entry.number > max(forgotten[nil] ?? 0, forgotten[entry.decision.requestorID] ?? 0)
    }

    func saveSoon() {
        guard store != nil, saving == nil else { return }
        saving = clock.alarm(at: clock.boot.advanced(by: Self.pause)) { [self] in Task { await save() } }
    }

    func save() async {
        saving?.cancel()
        saving = nil
        await store?(lasting)
    }

    /// The decisions for the next process as JSON; nil if there are none.
    private var lasting: String? {
        let kept = Self.maxLasting.flatMap { kind, count in
            (entries[kind] ?? []).filter { mayLast($0) && $0.isRefusal && isRecent($0.decision) }.suffix(count)
        }
        let rows = kept.sorted { $0.number < $1.number }.map { entry in
            var decision = entry.decision
            decision.resource = entry.mark
            return decision.json
        }
        return rows.isEmpty ? nil : String(decoding: JSONWriter.bytes(.array(rows)), as: UTF8.self)
    }
}

extension Decisions.Decision {
    /// Reads the JSON of an earlier process. Nil if it has another form.
    init?(_ json: JSONValue) {
        func text(_ name: String) -> String? { json[name]?.string }
        guard let time = json["time"]?.int64, let kind = text("kind").flatMap(Decisions.Kind.init),
            let outcome = text("outcome"), let reason = text("reason")
        else { return nil }
        self.init(
            time: time, times: Int(min(max(1, json["times"]?.int64 ?? 1), 1 << 32)), since: json["since"]?.int64,
            kind: kind, outcome: outcome, decidedBy: text("decidedBy").flatMap(Decisions.Decider.init),
            app: text("app"), requestorID: text("requestorID"), provider: text("provider"), resource: text("resource"),
            by: text("by"), source: text("source"), code: text("code"), trace: text("trace"), text: text("text"),
            message: text("message"), reason: reason, remedy: text("remedy"))
    }
}
