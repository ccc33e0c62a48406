// What the engine is given: its ports, and the readings of the contract that a box may choose.

public struct EnginePorts: Sendable {
    public var services: any ServiceDirectory
    public var vault: any TokenVault
    public var identity: any DeviceIdentity
    public var clock: any EngineClock
    /// The software statement of an app that need not be connected, for work in the background.
    public var statement: @Sendable (RegistrationKey) -> Secret?
    /// In 0..<1, for jitter.
    public var chance: @Sendable () -> Double
    public var importer: (any TokenImporter)?
    public var platform: any PlatformSSO
    /// MD5 in hexadecimal: the tracking GUID is made with it. Contract: access-enabler.md §15.3.
    public var digest: @Sendable (String) -> String

    public init(
        services: any ServiceDirectory, vault: any TokenVault, identity: any DeviceIdentity, clock: any EngineClock,
        statement: @escaping @Sendable (RegistrationKey) -> Secret? = { _ in nil },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, importer: (any TokenImporter)? = nil,
        platform: any PlatformSSO = NoPlatform(), digest: @escaping @Sendable (String) -> String
    ) {
        self.services = services
        self.vault = vault
        self.identity = identity
        self.clock = clock
        self.statement = statement
        self.chance = chance
        self.importer = importer
        self.platform = platform
        self.digest = digest
    }
}

/// The readings of the contract that a box may choose differently have their numbers there.
public struct EngineSettings: Sendable {
    /// What a logout in one app ends. OQ-13.
    public enum LogoutScope: String, Hashable, Sendable, CaseIterable { case device, requestor }

    /// Nobody waits longer for an answer of the service.
    public var callDeadline = Duration.seconds(30)
    /// One poll of an open login.
    public var pollDeadline = Duration.seconds(15)
    /// `remember-provider`. OQ-4.
    public var remembersProvider = true
    /// `select-starts-login`: choosing a provider outside of a flow begins one. OQ-6.
    public var selectStartsLogin = false
    /// `cancel-signs-out`: after a cancel nobody is logged in, whatever tokens remain. OQ-9.
    public var cancelSignsOut = true
    /// `logout-scope`. OQ-13.
    public var logoutScope = LogoutScope.device
    /// `passive-authentication`. OQ-14.
    public var isPassive = true
    /// `resync`: every `setRequestor` asks the service who is logged in. OQ-2.
    public var resyncs = true
    /// Providers that refuse to be shown in a plain web view. Contract: access-enabler.md §7.5.
    public var secureBrowserProviders: Set<ProviderID> = []
    /// Where a browser ends up after a login or logout, besides the SDK's own addresses.
    public var redirectAddresses: Set<String> = []
    /// Off unless the service's operator agreed to it. Contract: access-enabler.md §10.
    public var deviceIDIsReadable = false
    /// How long hints for menus are good. Contract: rest-v2.md §8.
    public var preauthorizationLifetime = Duration.seconds(15 * 60)
    /// Pauses between attempts of a logout that the service has not heard of yet.
    public var logoutRetry = Duration.seconds(30)
    public var longestLogoutRetry = Duration.seconds(3600)

    public init() {}
}
