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
    static let lifetime = Duration.seconds(7 * 24 * 3600)
    private static let maxForgotten = 256
    static let pause = Duration.seconds(5)
    /// The pause if known decisions were only repeated. It saves writes to a flash disk.
    static let longPause = Duration.seconds(300)
    /// The time from saving to the sync. A play does not wait for the disk, and a power cut loses only some seconds.
    private static let syncPause = Duration.seconds(10)
    /// The max time until decisions are saved again. By then, the box's date may have changed, and some decisions may be too
    /// old.
    private static let day = Duration.seconds(24 * 3600)

    /// Takes over the decisions of the last process. From now on, `store` keeps the decisions of this process.
    func resume(_ former: String?, store: any DecisionStore) {
        self.store = store
        let rows = former.flatMap { try? JSONReader.read(Array($0.utf8)) }?.array?.prefix(Self.maxLastingInAll) ?? []
        for (index, row) in rows.enumerated().reversed() {
            guard let decision = Decisions.Decision(row) else { continue }
            // A decision with a date in the future counts as made now. `left` limits its lifetime, so that it does not become
            // new at each start.
            let age = max(.zero, ServerTime(milliseconds: decision.time).duration(to: clock.wall))
            let left = row["left"]?.int64.map { Duration.milliseconds($0) } ?? Self.lifetime
            guard age <= Self.lifetime, left >= .zero else { continue }
            let entry = Entry(
                number: UInt64(index + 1), decision: decision, mark: decision.resource,
                end: clock.boot.advanced(by: min(left, Self.lifetime - age)))
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
        saveSoon(after: .zero)
    }

    /// Whether the next process may get the entry. It may if the entry is newer than the last call of `forget` for the entry's
    /// requestor.
    func mayLast(_ entry: Entry) -> Bool {
        entry.number > max(forgotten[nil] ?? 0, forgotten[entry.decision.requestorID] ?? 0)
    }

    func saveSoon(after pause: Duration = DecisionLog.pause) {
        let time = clock.boot.advanced(by: pause)
        guard store != nil, saving.map({ time < $0.time }) ?? true else { return }
        saving?.alarm.cancel()
        saving = (time, clock.alarm(at: time) { [self] in Task { await save() } })
    }

    /// Saves the decisions. If `ifChanged` is true, writes nothing if the same decisions are already stored, so that calls of an
    /// app do not wear out a flash disk. If `syncs` is true, the decisions are on the disk when this returns.
    func save(ifChanged: Bool = false, syncs: Bool = false) async {
        saving?.alarm.cancel()
        saving = nil
        // The end of a login removes the whole file, even if it has decisions about other requestors. The decisions are
        // collected after the `await`, so that a logout during the `await` counts.
        let isGone = ifChanged ? await store?.hasDecisions == false : false
        let kept = lasting
        let hasChanged = !ifChanged || kept.map(\.number) != saved || isGone && !kept.isEmpty
        saved = kept.map(\.number)
        if let first = kept.map(\.end).min() { saveSoon(after: min(Self.day, clock.boot.duration(to: first))) }
        if syncs {
            syncing?.cancel()
            syncing = nil
        } else if hasChanged, !kept.isEmpty, syncing == nil {
            syncing = clock.alarm(at: clock.boot.advanced(by: Self.syncPause)) { [self] in
                syncing = nil
                Task { await store?.syncDecisions() }
            }
        }
        if hasChanged { await store?.keepDecisions(text(of: kept)) }
        if syncs { await store?.syncDecisions() }
    }

    /// The decisions for the next process.
    private var lasting: [Entry] {
        let start = clock.wall.advanced(by: .zero - Self.lifetime).milliseconds
        return Self.maxLasting.flatMap { kind, count in
            (entries[kind] ?? []).filter {
                mayLast($0) && $0.isRefusal && clock.boot < $0.end && start <= $0.decision.time
            }.suffix(count)
        }.sorted { $0.number < $1.number }
    }

    /// The decisions as JSON; nil if there are none. `left` is the rest of a decision's lifetime in milliseconds.
    private func text(of kept: [Entry]) -> String? {
        let rows = kept.map { entry in
            var decision = entry.decision
            decision.resource = entry.mark
            var row = decision.json.object ?? JSONObject()
            row.append("left", .int(clock.boot.duration(to: entry.end).inMilliseconds))
            return JSONValue.object(row)
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
