// The waiting work of several owners. The owners take turns. An owner with many busy connections delays itself but not the
// other owners. The queue only stores the work. The reactor does it.

/// The owner of a connection, for sharing turns and memory.
public enum ConnectionOwner: Hashable, Sendable {
    case user(UInt32)
    /// All strangers. Together they have one turn.
    case strangers
}

final class FairQueue<Work> {
    /// The work of one owner. Each connection keeps a reference to it, so that a new piece of work needs no look-up.
    final class OwnersWork {
        fileprivate let owner: ConnectionOwner
        fileprivate var members = 0
        private var works: [Work?] = []
        private var first = 0

        fileprivate init(_ owner: ConnectionOwner) { self.owner = owner }

        fileprivate var isEmpty: Bool { works.isEmpty }

        fileprivate func append(_ work: Work) { works.append(work) }

        fileprivate func removeFirst() -> Work? {
            let work = works[first]
            works[first] = nil
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

    /// The owners with waiting work or joined connections.
    private var owners: [ConnectionOwner: OwnersWork] = [:]
    /// The owners that have work. The first has the next turn.
    private var order: [OwnersWork] = []

    var isEmpty: Bool { order.isEmpty }

    /// Returns the queue with the owner's work. The queue is kept until all joined connections have left.
    func join(_ owner: ConnectionOwner) -> OwnersWork {
        let owned = work(of: owner)
        owned.members += 1
        return owned
    }

    func leave(_ owned: OwnersWork) {
        owned.members -= 1
        forgetIfUnused(owned)
    }

    func add(_ work: Work, of owner: ConnectionOwner) { add(work, to: self.work(of: owner)) }

    func add(_ work: Work, to owned: OwnersWork) {
        if owned.isEmpty { order.append(owned) }
        owned.append(work)
    }

    func next() -> Work? {
        guard let owned = order.first else { return nil }
        let work = owned.removeFirst()
        if owned.isEmpty {
            order.removeFirst()
            forgetIfUnused(owned)
        } else if order.count > 1 {
            order.append(order.removeFirst())
        }
        return work
    }

    private func work(of owner: ConnectionOwner) -> OwnersWork {
        if let owned = owners[owner] { return owned }
        let owned = OwnersWork(owner)
        owners[owner] = owned
        return owned
    }

    private func forgetIfUnused(_ owned: OwnersWork) {
        if owned.isEmpty, owned.members == 0 { owners[owned.owner] = nil }
    }
}
