// Counts the memory of all connections of one owner: incomplete messages, pending calls, unread answers. An owner is a user, or
// all strangers together. Accounts share a total. An owner that uses little always gets room in the total, so that no owner can
// lock out others by filling the total.
//
// Used on the queue of the connections only.

public final class MemoryAccount {
    /// Every account gets this number of bytes even if the total is used up.
    static let alwaysGranted = 1 << 20

    /// The limit in bytes. If it is lowered below the used memory, the account gets no more memory until it uses less.
    public var limit: Int
    public private(set) var used = 0
    private let total: MemoryAccount?
    /// Called when the used memory has become much smaller.
    public var onShrink: (() -> Void)?
    private var peak = 0
    private static let muchLess = 4 << 20

    public init(limit: Int, of total: MemoryAccount? = nil) {
        self.limit = limit
        self.total = total
    }

    /// Adds the difference to the used memory. Returns false, and changes nothing, if the limit would be exceeded. A
    /// decrease is always accepted.
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
        total?.grow(difference)
        return true
    }

    private func release(_ bytes: Int) {
        used -= bytes
        total?.shrink(bytes)
    }

    private func grow(_ bytes: Int) {
        used += bytes
        peak = max(peak, used)
    }

    private func shrink(_ bytes: Int) {
        used -= bytes
        guard peak - used >= Self.muchLess else { return }
        peak = used
        onShrink?()
    }
}
