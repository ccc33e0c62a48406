// What the composition root passes to the engine: `EnginePorts`, the implementations of its ports, which are fixed at
// the start; and `EngineSettings`, the configurable behaviour, which a reload may replace.

public struct EnginePorts: Sendable {
    public var services: any ServiceDirectory
    public var vault: any TokenVault
    public var identity: any DeviceIdentity
    public var clock: any EngineClock
    /// The software statement for background work, when the app may not be connected. Nil if the configuration has none
    /// for the registration.
    public var statement: @Sendable (RegistrationKey) -> Secret?
    /// A random number in 0..<1, for jitter.
    public var chance: @Sendable () -> Double
    public var importer: (any TokenImporter)?
    public var platform: any PlatformSSO
    /// Returns the MD5 of a text in hexadecimal, from which the tracking GUID is made.
    /// Contract: access-enabler.md §15.3.
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

/// Configurable behaviour. Where the contract leaves a question open, the comment names its number (`OQ-…`) and the key
/// of passd.conf(5) that answers it.
public struct EngineSettings: Sendable {
    /// Whether a logout in one app ends all logins of the device, or only those of the app's requestor. OQ-13.
    public enum LogoutScope: String, Hashable, Sendable, CaseIterable { case device, requestor }

    /// How long a call waits for the service before it fails.
    public var callDeadline = Duration.seconds(30)
    /// How long one poll of an open login may take.
    public var pollDeadline = Duration.seconds(15)
    /// `remember-provider`: the next login skips the picker if the last one with the selected provider succeeded. OQ-4.
    public var remembersProvider = true
    /// `select-starts-login`: selecting a provider while no login is under way starts one. OQ-6.
    public var selectStartsLogin = false
    /// `cancel-signs-out`: a cancel erases the selection, so that the requestor counts as logged out even if a login
    /// remains. OQ-9.
    public var cancelSignsOut = true
    /// `logout-scope`: what a logout in one app ends. OQ-13.
    public var logoutScope = LogoutScope.device
    /// `passive-authentication`: where a provider wants one login per requestor, let the service log in a second
    /// requestor silently if it can. OQ-14.
    public var isPassive = true
    /// `resync`: every `setRequestor` asks the service who is logged in. OQ-2.
    public var resyncs = true
    /// Providers whose login pages refuse to run in a plain web view. Contract: access-enabler.md §7.5.
    public var secureBrowserProviders: Set<ProviderID> = []
    /// Further addresses that mark the end of a login or logout in a browser, besides those of the SDK.
    public var redirectAddresses: Set<String> = []
    /// Whether apps may read the device's ID. It needs the consent of the service's operator.
    /// Contract: access-enabler.md §10.
    public var deviceIDIsReadable = false
    /// How long hints for menus may be answered from memory. Contract: rest-v2.md §8.
    public var preauthorizationLifetime = Duration.seconds(15 * 60)
    /// The first pause between attempts to deliver a logout to the service. Pauses grow up to `longestLogoutRetry`.
    public var logoutRetry = Duration.seconds(30)
    public var longestLogoutRetry = Duration.seconds(3600)

    public init() {}
}
