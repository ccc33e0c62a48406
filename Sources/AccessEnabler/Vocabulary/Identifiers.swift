// Identifiers as types, so that a requestor cannot be passed in place of a provider. The keys of logins consist of identifiers.
// All identifiers are compared byte by byte, as in the service and the store. Swift's own comparison treats two spellings of
// "é" as equal.

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

/// A channel or brand. The service calls it service provider.
public struct RequestorID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A pay-TV operator. The service calls it MVPD.
public struct ProviderID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of an app's stanza in the configuration.
public struct AppID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The code that a viewer types on the second screen.
public struct RegistrationCode: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A resource exactly as an app names it. passd neither trims it nor changes its case. Two Unicode spellings of the same text
/// are different resources. Contract: access-enabler.md §13.0.
public struct ResourceID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifies the logins of one requestor under one app's registration.
public struct LoginKey: Hashable, Codable, Sendable {
    public var registration: RegistrationKey
    public var requestor: RequestorID

    public init(registration: RegistrationKey, requestor: RequestorID) {
        self.registration = registration
        self.requestor = requestor
    }
}

/// Identifies the login of one requestor with one provider, under one app's registration.
public struct ProfileKey: Hashable, Codable, Sendable {
    public var registration: RegistrationKey
    public var requestor: RequestorID
    public var provider: ProviderID

    public init(registration: RegistrationKey, requestor: RequestorID, provider: ProviderID) {
        self.registration = registration
        self.requestor = requestor
        self.provider = provider
    }
}

extension LoginKey {
    func profileKey(at provider: ProviderID) -> ProfileKey {
        ProfileKey(registration: registration, requestor: requestor, provider: provider)
    }
}

extension ProfileKey {
    var login: LoginKey { LoginKey(registration: registration, requestor: requestor) }
}
