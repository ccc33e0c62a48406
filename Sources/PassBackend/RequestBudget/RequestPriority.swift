// Who goes first when requests wait for their turn. Contract: rest-v2.md §15.

/// Calls a viewer waits for come before what the box does by itself.
public enum RequestPriority: Int, CaseIterable, Comparable, Sendable {
    case authorize, session, logout, profile, preauthorize, configuration, poll

    /// The smaller one is served first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
