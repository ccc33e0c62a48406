// What the engine is given at start: its ports, and settings for the points on which the contract can be read in more
// than one way.

public struct EnginePorts: Sendable {
    public var services: any ServiceDirectory
    public var vault: any TokenVault
    public var identity: any DeviceIdentity
    public var clock: any EngineClock
    /// The software statement of an app, for work in the background while the app is not connected.
    public var statement: @Sendable (RegistrationKey) -> Secret?
    /// Returns a random number in 0..<1, for jitter.
    public var chance: @Sendable () -> Double
    public var importer: (any TokenImporter)?
    public var platform: any PlatformSSO
    /// Returns the MD5 of a text in hexadecimal, for the tracking GUID. Contract: access-enabler.md §15.3.
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

/// Each point that the contract leaves open is cited by its number, OQ-n.
public struct EngineSettings: Sendable {
    /// Which logins a logout in one app ends. OQ-13.
    public enum LogoutScope: String, Hashable, Sendable, CaseIterable { case device, requestor }

    /// How long a call may wait for the service.
    public var callDeadline = Duration.seconds(30)
    /// How long one poll of an open login may wait for the service.
    public var pollDeadline = Duration.seconds(15)
    /// `remember-provider`: a provider chosen in one app is offered to the next one. OQ-4.
    public var remembersProvider = true
    /// `select-starts-login`: choosing a provider while no login is in progress starts one. OQ-6.
    public var selectStartsLogin = false
    /// `cancel-signs-out`: after a cancel the viewer counts as logged out, although logins remain stored. OQ-9.
    public var cancelSignsOut = true
    /// `logout-scope`: see `LogoutScope`.
    public var logoutScope = LogoutScope.device
    /// `passive-authentication`: another app's login is tried before the viewer is asked. OQ-14.
    public var isPassive = true
    /// `resync`: every `setRequestor` asks the service who is logged in. OQ-2.
    public var resyncs = true
    /// Providers whose pages refuse to be shown in a plain web view. Contract: access-enabler.md §7.5.
    public var secureBrowserProviders: Set<ProviderID> = []
    /// Addresses to which a browser may return after a login or logout, in addition to the SDK's own.
    public var redirectAddresses: Set<String> = []
    /// Whether apps may read the device's identifier; off unless the operator of the service agreed to it. Contract:
    /// access-enabler.md §10.
    public var deviceIDIsReadable = false
    /// How long a hint may be answered from memory. Contract: rest-v2.md §8.
    public var preauthorizationLifetime = Duration.seconds(15 * 60)
    /// The first pause between attempts to tell the service of a logout; it doubles up to `longestLogoutRetry`.
    public var logoutRetry = Duration.seconds(30)
    public var longestLogoutRetry = Duration.seconds(3600)

    public init() {}
}
