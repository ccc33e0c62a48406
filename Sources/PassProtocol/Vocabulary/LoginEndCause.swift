// Why a login has ended. An event and the journal tell the cause itself; apps hear the callback's reason, which has fewer
// words. rpc.md §5, §6.

public enum LoginEndCause: String, Hashable, CaseIterable, Sendable {
    /// It has expired.
    case expired
    /// The provider or the service has ended it, or the requestor no longer works with the provider.
    case revoked
    /// A viewer has logged out.
    case logout
    /// An operator has made the box forget it.
    case forgotten
    /// A new login has taken its place.
    case replaced
    /// The box is not the device for which it was made.
    case anotherDevice = "another-device"
    /// The store was checked or cleared, was damaged, or a backup has replaced it.
    case store

    public var reason: Callback.Reason {
        switch self {
        case .expired: .expired
        case .revoked: .revoked
        case .logout, .forgotten, .replaced, .anotherDevice, .store: .logout
        }
    }
}
