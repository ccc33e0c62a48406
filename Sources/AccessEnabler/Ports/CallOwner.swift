// The users among whom the request budget is shared: each user that the kernel reports is one owner, with all of its
// apps and connections.

public enum CallOwner: Hashable, Sendable {
    /// Work that the daemon does on its own, such as retrying a logout.
    case box
    case user(UInt32)
}
