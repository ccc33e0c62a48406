// The port for the identity of the device. The engine asks it once, at the start, and waits for the answer without blocking
// its queue. Contract: access-enabler.md §10, rest-v2.md §3.3.

/// The device identifier, as in the decoded header `AP-Device-Identifier`: SHA-256 in lower-case hexadecimal.
public struct DeviceID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The source of the identity by which the service knows the box.
public protocol DeviceIdentity: Sendable {
    /// Computes the present identity of the device. The engine compares the result with the stored identity of the first start.
    func current() async throws(DeviceIdentityFault) -> DeviceID
}

/// The identity cannot be determined. The text is for operators.
public struct DeviceIdentityFault: Error, Sendable {
    public var explanation: String
    public init(_ explanation: String) { self.explanation = explanation }
}
