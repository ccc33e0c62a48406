// The order of waiting requests. Contract: rest-v2.md §15.

/// Calls that a viewer waits for come before the daemon's own.
public enum RequestPriority: Int, CaseIterable, Comparable, Sendable {
    case authorize, session, logout, profile, preauthorize, configuration, poll

    /// The smaller one is served first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
