// The ports and settings with which the engine starts.

public import PassProtocol

/// The ports of the engine. The composition root chooses their implementations.
public struct EnginePorts: Sendable {
    public var services: any ServiceDirectory
    public var vault: any TokenVault
    public var identity: any DeviceIdentity
    public var clock: any EngineClock
    /// The software statement of an app, for work in the background, when the app may be disconnected.
    public var statement: @Sendable (RegistrationKey) -> Secret?
    /// A random number in 0..<1, for jitter. Tests make it predictable.
    public var chance: @Sendable () -> Double
    public var importer: (any TokenImporter)?
    public var platform: any PlatformSSO
    /// MD5 in hexadecimal, for the tracking GUID. Contract: access-enabler.md §15.3.
    public var digest: @Sendable (String) -> String
    /// The QR code of an address.
    public var qr: @Sendable (String, QRForm) -> QRPicture

    public init(
        services: any ServiceDirectory, vault: any TokenVault, identity: any DeviceIdentity, clock: any EngineClock,
        statement: @escaping @Sendable (RegistrationKey) -> Secret? = { _ in nil },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, importer: (any TokenImporter)? = nil,
        platform: any PlatformSSO = NoPlatform(), digest: @escaping @Sendable (String) -> String,
        qr: @escaping @Sendable (String, QRForm) -> QRPicture = { _, _ in .problem("QR codes are not available here.") }
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
        self.qr = qr
    }
}

/// The settings of the engine. If the contract can be understood in several ways, the comment on the setting names the open
/// question (OQ).
public struct EngineSettings: Equatable, Sendable {
    /// The logins that a logout in one app ends: all logins of the device, or the logins of the requestor. OQ-13.
    public enum LogoutScope: String, Hashable, Sendable, CaseIterable { case device, requestor }

    /// The longest time from the arrival of a call to its answer, including retries. Ruling 47.
    public var callDeadline = Duration.seconds(15)
    /// The longest time for work that no call waits for.
    public var backgroundDeadline = Duration.seconds(30)
    /// `setRequestor` waits at most `setupDeadline` for the service, and `platformDeadline` for the helper program of the TV
    /// account. Slower work continues after the answer.
    public var setupDeadline = Duration.seconds(5)
    public var platformDeadline = Duration.milliseconds(1500)
    /// How long `getAuthentication` waits for the TV account while the account shows nothing to the viewer. The time begins
    /// when the call arrives. Ruling 51.
    public var platformLoginDeadline = Duration.milliseconds(4500)
    /// The longest wait for the answer to one poll.
    public var pollDeadline = Duration.seconds(15)
    /// `remember-provider`: the next login starts with the selected provider and skips the picker. OQ-4.
    public var remembersProvider = true
    /// `select-starts-login`: if the app chooses a provider while no login is open, a login starts. OQ-6.
    public var selectStartsLogin = false
    /// `cancel-signs-out`: after a cancel the requestor has no selected provider. Without a selected provider, no viewer counts
    /// as logged in, even if a valid login is stored. OQ-9.
    public var cancelSignsOut = true
    /// `logout-scope`: see `LogoutScope`.
    public var logoutScope = LogoutScope.device
    /// `passive-authentication`: tries a silent login with a provider that requires one login for each requestor. OQ-14.
    public var isPassive = false
    /// `resync`: `setRequestor` asks the service who is logged in. If memory has a valid login, `setRequestor` asks at most
    /// once a minute. OQ-2.
    public var resyncs = true
    /// Providers whose pages do not work in a plain web view. Contract: access-enabler.md §7.5.
    public var secureBrowserProviders: Set<ProviderID> = []
    /// The addresses to which a browser may return after a login or logout, besides the SDK's own addresses.
    public var redirectAddresses: Set<String> = []
    /// Whether apps may read the device identifier. Set this only if the service's operator has agreed. Contract:
    /// access-enabler.md §10.
    public var deviceIDIsReadable = false
    /// Whether `checkPreauthorizedResources` lists the resources that the service's answer does not mention. Contract: §14.
    public var permitsOmitted = false
    /// How long hints for menus are valid. Contract: rest-v2.md §8.
    public var preauthorizationLifetime = Duration.seconds(15 * 60)
    /// The pause before a logout is reported to the service again. It doubles after each attempt, up to `longestLogoutRetry`.
    public var logoutRetry = Duration.seconds(30)
    public var longestLogoutRetry = Duration.seconds(3600)

    public init() {}
}
