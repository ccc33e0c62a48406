// The keys of logins: a requestor under one registration, and one requestor's login with one provider.

/// The key of all logins of one requestor under one app's registration.
public struct LoginKey: Hashable, Codable, Sendable {
    public var registration: RegistrationKey
    public var requestor: RequestorID

    public init(registration: RegistrationKey, requestor: RequestorID) {
        self.registration = registration
        self.requestor = requestor
    }
}

/// The key of one requestor's login with one provider.
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
