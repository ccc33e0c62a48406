// The port that finds the service for a requestor: the box's own service, or a service that the app names and the configuration
// allows. The engine calls the port on its own queue. The port answers at once, without waiting or making requests. Contract:
// access-enabler.md §6.1.

/// Finds the backend for the services that an app names.
public protocol ServiceDirectory: Sendable {
    /// The box's own service, for apps that name no service.
    var standard: any EntitlementBackend { get }
    /// The service at these addresses; nil if the configuration does not allow all of them.
    func service(at addresses: [String]) -> (any EntitlementBackend)?
    /// The service that made the registration. If that service is no longer configured, this is an absent service
    /// (`BackendTraits.isAbsent`).
    func service(of registration: RegistrationKey) -> any EntitlementBackend
}
