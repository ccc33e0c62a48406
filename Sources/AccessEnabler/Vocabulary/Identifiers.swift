// Names as types, so that a requestor cannot be passed where a provider is meant.

public protocol Identifier: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible
where RawValue == String {}

extension Identifier {
    public var description: String { rawValue }
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A channel or brand; the service calls it service provider.
public struct RequestorID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A pay-TV operator; the service calls it MVPD.
public struct ProviderID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// An app stanza of the configuration.
public struct AppID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a viewer types on the second screen.
public struct RegistrationCode: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A resource exactly as an app names it: opaque, neither trimmed nor folded. Contract: access-enabler.md §13.0.
public struct ResourceID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
