// The work of connected clients and of new clients. Connected clients come first. While both have work, at most one new client
// is let in after each piece of work for a connected client.

struct WorkQueues<Work> {
    private let connected = FairQueue<Work>()
    private let newcomers = FairQueue<Work>()
    private var isNewcomersTurn = false

    var isEmpty: Bool { connected.isEmpty && newcomers.isEmpty }

    /// Returns the queue with the work of an owner's connected clients. The queue is kept until all joined connections have
    /// left.
    func join(_ owner: ConnectionOwner) -> FairQueue<Work>.OwnersWork { connected.join(owner) }

    func leave(_ owned: FairQueue<Work>.OwnersWork) { connected.leave(owned) }

    func add(_ work: Work, to owned: FairQueue<Work>.OwnersWork) { connected.add(work, to: owned) }

    func add(_ work: Work, of owner: ConnectionOwner) { connected.add(work, of: owner) }

    func add(newcomer work: Work, of owner: ConnectionOwner) { newcomers.add(work, of: owner) }

    mutating func next() -> Work? {
        let isForNewcomers = connected.isEmpty || isNewcomersTurn && !newcomers.isEmpty
        isNewcomersTurn = !isForNewcomers
        return isForNewcomers ? newcomers.next() : connected.next()
    }
}
