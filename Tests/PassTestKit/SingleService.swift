// The directory of a box with one service, for tests.

public import AccessEnabler

/// A box with one service.
public struct SingleService: ServiceDirectory {
    public let standard: any EntitlementBackend

    public init(_ backend: any EntitlementBackend) { standard = backend }

    public func service(at addresses: [String]) -> (any EntitlementBackend)? { nil }

    public func service(of registration: RegistrationKey) -> any EntitlementBackend { standard }
}
