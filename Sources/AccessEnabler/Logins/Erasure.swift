// What a logout erases, and how that is reported. `Logouts` describes it, and `Logins` performs it.

import PassProtocol

/// Which logins a logout ends, and what else it erases.
struct Erasure {
    /// Whether it is for all requestors of the device.
    var isWhole: Bool
    /// Whether the service is told.
    var tellsService = true
    /// Why the logins end, and which party ends them.
    var cause = LoginEndCause.logout
    var by: String?
    /// Selects the logins that end.
    var ends: (ProfileKey) -> Bool
    /// Selects requestors whose selection is forgotten even if none of their logins ends.
    var forgetsChoice: (RequestorID) -> Bool = { _ in false }
    /// The requestors whose logins from older storage layouts are forgotten. If nil, these are the requestors that lose
    /// a login, or all of them if `isWhole` is true.
    var importedRequestors: Set<RequestorID>?
}
