// When and how the last exchange with the service went. The backend keeps it; the status report tells it.

public enum ServiceContact: Hashable, Sendable {
    case never
    case reachable(since: BootTime, last: BootTime)
    /// The reason is short and free of secrets.
    case failing(String, since: BootTime, last: BootTime)
}
