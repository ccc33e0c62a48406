// What the daemon needs to know to remember the answers of calls that are answered from memory. docs/decisions/0019.

import PassProtocol

extension Session {
    /// Sessions with equal values get equal answers to the calls that only read.
    public struct Reader: Hashable, Sendable {
        fileprivate let login: LoginKey
        fileprivate let wantsCallbacks: Bool
        fileprivate let signedOut: BoxSentence?
    }

    /// Nil while something is under way in this session, a login of its own included, and while it knows something that
    /// others do not.
    public var reader: Reader? {
        guard let asker = setup.ready, !setup.isBusy, !isClosed, !conversation.isOpen, conversation.ownChoice == nil,
            conversation.platformObstacle == nil
        else { return nil }
        return Reader(login: asker.key, wantsCallbacks: options.wantsCallbacks, signedOut: signedOut)
    }
}

extension Engine {
    /// For how long an answer holds that was read since `beginReading`, as long as nothing changes.
    public var horizon: Horizon { context.horizon }

    public func beginReading() { context.noteHorizon() }

    /// The date at the service, and by how many milliseconds the box's date is ahead of it.
    public var dates: (now: ServerTime, shift: Int64) {
        let now = context.now
        return (now, now.duration(to: context.ports.clock.wall).inMilliseconds)
    }
}
