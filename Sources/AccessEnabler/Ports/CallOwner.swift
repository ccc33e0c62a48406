// To whom a call is charged when calls compete for the service: a user ID as the kernel reports it, with all apps and
// connections of that user.

public enum CallOwner: Hashable, Sendable {
    /// The daemon's own work.
    case box
    case user(UInt32)
}
