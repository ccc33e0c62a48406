// The port that says which device this is. The engine asks it once, at start.
// Contract: access-enabler.md §10, rest-v2.md §3.3.

/// The identifier as it stands decoded in `AP-Device-Identifier`: SHA-256 in lower-case hexadecimal.
public struct DeviceID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

public protocol DeviceIdentity: Sendable {
    /// Computed anew; the engine compares it with what it wrote down at first use.
    func current() async throws(DeviceIdentityFault) -> DeviceID
}

public struct DeviceIdentityFault: Error, Sendable {
    public var explanation: String
    public init(_ explanation: String) { self.explanation = explanation }
}
