// Whose work is done next: it waits in a line for each owner, and the owners take turns. Who keeps many connections busy
// then waits behind itself, and not before others. Pure; nothing is done here.

/// Whose connection it is, where turns and memory are shared out.
public enum ConnectionOwner: Hashable, Sendable {
    case user(UInt32)
    /// All peers that no rule names, whoever they are: they share one turn.
    case strangers
}

struct FairQueue<Work> {
    private struct Line {
        var works: [Work] = []
        var next = 0
    }

    private var lines: [ConnectionOwner: Line] = [:]
    /// Owners with work, the one whose turn it is first.
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
