// When and how the last exchange with the service ended. The backend keeps it for the status report.

/// When and how the last exchange with the service ended.
public enum ServiceContact: Hashable, Sendable {
    case never
    case reachable(since: BootTime, last: BootTime)
    /// The reason is short and free of secrets.
    case failing(String, since: BootTime, last: BootTime)
}
