// Names as types, so that a requestor cannot be passed where a provider is meant. Names are the same if they are
// written the same: Swift's own comparison takes two spellings of "é" for one, which the service and the store do not.

public protocol Identifier: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible
where RawValue == String {}

extension Identifier {
    public var description: String { rawValue }
    public static func == (one: Self, other: Self) -> Bool { one.rawValue.utf8.elementsEqual(other.rawValue.utf8) }
    public static func != (one: Self, other: Self) -> Bool { !(one == other) }
    public static func < (one: Self, other: Self) -> Bool {
        one.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
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
