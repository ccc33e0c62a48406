// The port that says which service a requestor is asked about: the box's own, or those that the app names and the box
// allows. It answers at once, on the engine's queue.
// Contract: access-enabler.md §6.1.

public protocol ServiceDirectory: Sendable {
    /// The box's own, for requestors whose app names none.
    var standard: any EntitlementBackend { get }
    /// The service at all of these addresses. Nil: the box does not go there.
    func service(at addresses: [String]) -> (any EntitlementBackend)?
    /// The one that made the registration, and no other: an absent one if the box does not go there any more.
    func service(of registration: RegistrationKey) -> any EntitlementBackend
}
