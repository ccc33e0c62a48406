// The port that identifies this device. The engine calls it once, on start.
// Contract: access-enabler.md §10, rest-v2.md §3.3.

/// The device's identifier, as `AP-Device-Identifier` carries it after decoding: a SHA-256 in lower-case hexadecimal.
public struct DeviceID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

public protocol DeviceIdentity: Sendable {
    /// Computes the identity. The engine compares it with the one that it stored at first use.
    func current() async throws(DeviceIdentityFault) -> DeviceID
}

public struct DeviceIdentityFault: Error, Sendable {
    public var explanation: String
    public init(_ explanation: String) { self.explanation = explanation }
}
