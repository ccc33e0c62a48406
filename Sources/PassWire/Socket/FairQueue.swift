// Work of several owners, who take turns: an owner with many busy connections delays itself and not the others. Pure:
// it only stores the work.

/// Who a connection belongs to when turns and memory are shared out.
public enum ConnectionOwner: Hashable, Sendable {
    case user(UInt32)
    /// All peers that no rule names; together they have one turn.
    case strangers
}

struct FairQueue<Work> {
    private struct Line {
        var works: [Work] = []
        var next = 0
    }

    private var lines: [ConnectionOwner: Line] = [:]
    /// The owners with work; the one whose turn it is comes first.
    private var order: [ConnectionOwner] = []
    /// The memory of a line that is empty, for the next one.
    private var spare = Line()

    var isEmpty: Bool { order.isEmpty }

    mutating func add(_ work: Work, of owner: ConnectionOwner) {
        if lines[owner]?.works.append(work) != nil { return }
        order.append(owner)
        spare.works.append(work)
        lines[owner] = spare
        spare = Line()
    }

    mutating func next() -> Work? {
        guard let owner = order.first, var line = lines.removeValue(forKey: owner) else { return nil }
        order.removeFirst()
        let work = line.works[line.next]
        line.next += 1
        guard line.next < line.works.count else {
            line.works.removeAll(keepingCapacity: line.works.capacity <= 64)
            line.next = 0
            spare = line
            return work
        }
        if line.next >= 64 {
            line.works.removeFirst(line.next)
            line.next = 0
        }
        lines[owner] = line
        order.append(owner)
        return work
    }
}
