// Waiting work in a line for each owner; the owners take turns, so that an owner of many busy connections delays only
// itself. Pure; the work is done elsewhere.

/// The owner of a connection, among whom turns and memory are shared.
public enum ConnectionOwner: Hashable, Sendable {
    case user(UInt32)
    /// All peers without a policy rule, which share one turn.
    case strangers
}

struct FairQueue<Work> {
    private struct Line {
        var works: [Work] = []
        var next = 0
    }

    private var lines: [ConnectionOwner: Line] = [:]
    /// The owners with work; the next one is first.
    private var order: [ConnectionOwner] = []

    var isEmpty: Bool { order.isEmpty }

    mutating func add(_ work: Work, of owner: ConnectionOwner) {
        if lines[owner] == nil { order.append(owner) }
        lines[owner, default: Line()].works.append(work)
    }

    mutating func next() -> Work? {
        guard let owner = order.first, var line = lines.removeValue(forKey: owner) else { return nil }
        order.removeFirst()
        let work = line.works[line.next]
        line.next += 1
        guard line.next < line.works.count else { return work }
        if line.next >= 64 {
            line.works.removeFirst(line.next)
            line.next = 0
        }
        lines[owner] = line
        order.append(owner)
        return work
    }
}
