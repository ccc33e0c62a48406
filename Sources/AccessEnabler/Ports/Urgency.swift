// The order of waiting requests. A request has the rank of its most urgent caller. The rank can rise, because a more urgent
// caller may join while the request waits. The rank never falls. Contract: rest-v2.md §15.

import Synchronization

/// The rank of a request to the service. Requests with an earlier case are served first.
public enum CallRank: Int, CaseIterable, Comparable, Sendable {
    /// A viewer waits: for a play, for a code, for a logout, or for the setup before one of these.
    case viewer
    /// The questions of an app that starts.
    case start
    /// A poll for the outcome of a code.
    case poll
    /// No caller waits.
    case background

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The current urgency of a piece of work, shared by its callers. May be used from any thread.
public final class Urgency: Sendable {
    private struct State {
        var rank: CallRank
        var followers: [UInt64: @Sendable (CallRank) -> Void] = [:]
        var lastFollower: UInt64 = 0
    }

    private let state: Mutex<State>

    /// The highest rank, which cannot rise. Sessions share this instance.
    public static let viewer = Urgency(.viewer)

    public init(_ rank: CallRank) { state = Mutex(State(rank: rank)) }

    public var rank: CallRank { state.withLock { $0.rank } }

    /// Notes that a caller of this rank waits, too.
    public func raise(to rank: CallRank) {
        let followers = state.withLock { state -> [@Sendable (CallRank) -> Void] in
            guard rank < state.rank else { return [] }
            state.rank = rank
            return Array(state.followers.values)
        }
        for tell in followers { tell(rank) }
    }

    /// Calls `tell` with the rank, now and whenever it rises. To stop, call `unfollow` with the returned number.
    public func follow(_ tell: @escaping @Sendable (CallRank) -> Void) -> UInt64 {
        let (number, rank) = state.withLock { state in
            state.lastFollower += 1
            state.followers[state.lastFollower] = tell
            return (state.lastFollower, state.rank)
        }
        tell(rank)
        return number
    }

    public func unfollow(_ number: UInt64) { state.withLock { $0.followers[number] = nil } }
}
