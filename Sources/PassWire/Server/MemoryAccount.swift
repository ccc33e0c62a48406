// The memory that all connections of one owner keep: incomplete messages, calls under way, and unread answers. An owner
// is a user, or all peers without a policy rule. Accounts share a total. A small account always gets room in it, so
// that no owner can lock out others by filling it.
//
// An account is used on the queue of its connections only.

public final class MemoryAccount {
    /// The number of bytes that every account is granted even if the total is full.
    static let alwaysGranted = 1 << 20

    /// The most bytes of this account. If it is reduced below `used`, nothing more is granted.
    public var limit: Int
    public private(set) var used = 0
    private let total: MemoryAccount?

    public init(limit: Int, of total: MemoryAccount? = nil) {
        self.limit = limit
        self.total = total
    }

    /// Changes the used amount. Returns false, without a change, if it would exceed the limit. A decrease always
    /// succeeds.
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
