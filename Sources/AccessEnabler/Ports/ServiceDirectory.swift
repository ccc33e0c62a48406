// The port that selects the service for a requestor: the box's own, or one that the app names and the configuration
// allows. All members return at once and may be called on the engine's queue.
// Contract: access-enabler.md §6.1.

public protocol ServiceDirectory: Sendable {
    /// The box's own service, for requestors whose app names none.
    var standard: any EntitlementBackend { get }
    /// The service that combines all of these addresses; nil if the configuration does not allow one of them.
    func service(at addresses: [String]) -> (any EntitlementBackend)?
    /// The service that made the registration. If the configuration does not allow it any more, a service with the
    /// trait `isAbsent`.
    func service(of registration: RegistrationKey) -> any EntitlementBackend
}
