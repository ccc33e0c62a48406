// What the connections of one owner keep in memory together: half messages, calls under way, answers that wait to be
// read. An owner is a user, or all peers that no rule names. Accounts share a total; who stays small always finds room in
// it, so that nobody locks others out by filling it.
//
// An account belongs to the queue of its connections.

public final class MemoryAccount {
    /// Room that every account has, however full the total is.
    static let alwaysGranted = 1 << 20

    /// Who keeps more than a limit that has become smaller gets nothing more.
    public var limit: Int
    public private(set) var used = 0
    private let total: MemoryAccount?

    public init(limit: Int, of total: MemoryAccount? = nil) {
        self.limit = limit
        self.total = total
    }

    /// False where it would be too much: then nothing has changed. Less is always granted.
    func change(by difference: Int) -> Bool {
        guard difference > 0 else {
            release(-difference)
            return true
        }
        let (wanted, isTooLarge) = used.addingReportingOverflow(difference)
        guard !isTooLarge, wanted <= limit else { return false }
        if let total, total.used > total.limit - min(difference, total.limit), wanted > Self.alwaysGranted {
            return false
        }
        used = wanted
        total?.used += difference
        return true
    }

    private func release(_ bytes: Int) {
        used -= bytes
        total?.used -= bytes
    }
}
