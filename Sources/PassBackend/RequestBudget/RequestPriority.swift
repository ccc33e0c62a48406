// The order in which waiting requests go. Contract: rest-v2.md §15.

/// Calls that a viewer waits for come before those that the box makes on its own.
public enum RequestPriority: Int, CaseIterable, Comparable, Sendable {
    case authorize, session, logout, profile, preauthorize, configuration, poll

    /// The smaller one is served first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
