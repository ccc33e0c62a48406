// Work of several owners, who take turns: an owner with many busy connections delays itself and not the others. Pure:
// it only stores the work.

/// Who a connection belongs to when turns and memory are shared out.
public enum ConnectionOwner: Hashable, Sendable {
    case user(UInt32)
    /// All peers that no rule names; together they have one turn.
    case strangers
}

struct FairQueue<Work> {
    /// The work of one owner. Connections keep their owner's line, so that it need not be looked up for each piece.
    final class Line {
        fileprivate let owner: ConnectionOwner
        fileprivate var members = 0
        private var works: [Work] = []
        private var first = 0

        fileprivate init(_ owner: ConnectionOwner) { self.owner = owner }

        fileprivate var isEmpty: Bool { works.isEmpty }

        fileprivate func append(_ work: Work) { works.append(work) }

        fileprivate func removeFirst() -> Work {
            let work = works[first]
            first += 1
            if first == works.count {
                works.removeAll(keepingCapacity: works.capacity <= 64)
                first = 0
            } else if first >= 64 {
                works.removeFirst(first)
                first = 0
            }
            return work
        }
    }

    /// The lines that have work or members.
    private var lines: [ConnectionOwner: Line] = [:]
    /// The lines with work; the one whose turn it is comes first.
    private var order: [Line] = []

    var isEmpty: Bool { order.isEmpty }

    /// The owner's line, which is kept until all that have joined it have left.
    mutating func join(_ owner: ConnectionOwner) -> Line {
        let line = line(of: owner)
        line.members += 1
        return line
    }

    mutating func leave(_ line: Line) {
        line.members -= 1
        forgetIfUnused(line)
    }

    mutating func add(_ work: Work, of owner: ConnectionOwner) { add(work, to: line(of: owner)) }

    mutating func add(_ work: Work, to line: Line) {
        if line.isEmpty { order.append(line) }
        line.append(work)
    }

    mutating func next() -> Work? {
        guard let line = order.first else { return nil }
        let work = line.removeFirst()
        if line.isEmpty {
            order.removeFirst()
            forgetIfUnused(line)
        } else if order.count > 1 {
            order.append(order.removeFirst())
        }
        return work
    }

    private mutating func line(of owner: ConnectionOwner) -> Line {
        if let line = lines[owner] { return line }
        let line = Line(owner)
        lines[owner] = line
        return line
    }

    private mutating func forgetIfUnused(_ line: Line) {
        if line.isEmpty, line.members == 0 { lines[line.owner] = nil }
    }
}
