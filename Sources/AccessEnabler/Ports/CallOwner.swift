// Whose calls share what there is of the service: a user, as the kernel says, with all its apps and connections.

public enum CallOwner: Hashable, Sendable {
    /// What the box does by itself.
    case box
    case user(UInt32)
}
