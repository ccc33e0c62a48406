// The keys of logins: a requestor under one registration, and a profile of that requestor with one provider.

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
