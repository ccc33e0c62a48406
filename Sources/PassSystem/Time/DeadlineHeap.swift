// A priority queue of moments, with the earliest first. Entries can be removed. This type uses no clock.

struct DeadlineHeap<Payload> {
    private struct Entry {
        let moment: Duration
        let number: UInt64
    }

    private var entries: [Entry] = []
    /// The payloads of all entries, except of removed ones. A removed entry stays in the heap until it is the earliest entry.
    /// If most entries are removed entries, the heap drops them.
    private var payloads: [UInt64: Payload] = [:]

    var count: Int { payloads.count }
    /// The number of entries in the heap, including removed entries.
    var room: Int { entries.count }

    mutating func insert(_ number: UInt64, at moment: Duration, _ payload: Payload) {
        payloads[number] = payload
        entries.append(Entry(moment: moment, number: number))
        rise(entries.count - 1)
    }

    @discardableResult mutating func remove(_ number: UInt64) -> Bool {
        guard payloads.removeValue(forKey: number) != nil else { return false }
        if entries.count > 64, entries.count > payloads.count * 2 {
            entries = entries.filter { payloads[$0.number] != nil }.sorted(by: Self.isEarlier)
        }
        return true
    }

    mutating func earliest() -> Duration? {
        while let first = entries.first, payloads[first.number] == nil { removeFirst() }
        return entries.first?.moment
    }

    /// Takes the earliest payload. Nil if the payload's moment is after `now` or its number is above `last`.
    mutating func next(by now: Duration, upTo last: UInt64 = .max) -> Payload? {
        guard let earliest = earliest(), earliest <= now, entries[0].number <= last else { return nil }
        let payload = payloads.removeValue(forKey: entries[0].number)
        removeFirst()
        return payload
    }

    /// Compares two entries. Entries with the same moment keep the order of their insertion.
    private static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
        (left.moment, left.number) < (right.moment, right.number)
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        sink()
    }

    private mutating func rise(_ index: Int) {
        var child = index
        while child > 0, Self.isEarlier(entries[child], entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { Self.isEarlier(entries[$0], entries[$1]) }),
                Self.isEarlier(entries[least], entries[parent])
            else { return }
            entries.swapAt(least, parent)
            parent = least
        }
    }
}
