// Says to whom a request to the service is charged. A user, as the kernel reports it, shares one turn among all its
// apps and connections.

/// To whom a request to the service is charged.
public enum CallOwner: Hashable, Sendable {
    /// Work of the box itself, such as polls after a restart.
    case box
    /// The user ID of the connected client.
    case user(UInt32)
}
