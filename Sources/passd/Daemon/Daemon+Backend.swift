// The backend as the configuration wants it. rest-v2.md §3.4 for what the box says of itself.

import AccessEnabler
import Glibc
import PassBackend
import PassSystem
import PassVault

extension Daemon {
    func makeServices(
        _ configuration: Configuration, _ vault: Vault, _ contents: VaultContents, _ key: DeviceKey?
    ) throws(Failure) -> ServiceBook {
        let settings = configuration.backend
        let origin = try settings.origin.map { text throws(Failure) in try self.origin(text, "origin") }
        let codes = try settings.codeOrigin.map { text throws(Failure) in try self.origin(text, "regcode-origin") }
        let signOn = signOn(configuration, key)
        operations.signOn = signOn
        let sites = sites(operations.loaded.apps)
        let parts: @Sendable (Origin, Origin?) -> ServiceParts = { [clock, statements, journal] origin, codes in
            var service = Self.configuration(of: origin, configuration, sites)
            service.codes = codes
            return ServiceParts(
                service, vault: vault, registrations: contents.registrations, clock: clock,
                budgetClock: clock.budgetClock(), platform: signOn, digest: { Digest.sha256($0.reveal()) },
                heard: { statements.learn($0, $1) }, sent: { journal.record($0) })
        }
        // One protocol for all, and never the other one instead. rest-v2.md §19 item 2.
        let speak: @Sendable (ServiceParts) -> any EntitlementBackend =
            switch settings.version {
            case .v2: { [journal] in RecordedBackend(V2Backend($0), journal) }
            case .v1: { [journal] in RecordedBackend(V1Backend($0), journal) }
            }
        let others: @Sendable (Origin) -> any EntitlementBackend = { speak(parts($0, nil)) }
        let absent = NoService(settings.version)
        guard let origin else {
            return ServiceBook(absent, at: nil, others: settings.serviceProviders, absent: absent, make: others)
        }
        let own = parts(origin, codes)
        operations.contact = { own.contact }
        return ServiceBook(
            speak(own), at: origin, others: settings.serviceProviders, absent: absent, make: others)
    }

    private func origin(_ text: String, _ key: String) throws(Failure) -> Origin {
        do throws(HTTPFault) { return try Origin(text) } catch {
            throw Failure(description: "[backend] \(key): \(error)", status: .configuration)
        }
    }

    private func sites(_ apps: [AppStanza]) -> [AppID: LoginSite] {
        Dictionary(
            apps.map { app in
                let site = LoginSite(
                    domainName: app.domainName, redirectURL: app.redirectURL, activationURL: app.activationURL)
                return (AppID(rawValue: app.name), site)
            }
        ) { _, later in later }
    }

    private nonisolated static func configuration(
        of origin: Origin, _ configuration: Configuration, _ sites: [AppID: LoginSite]
    ) -> ServiceConfiguration {
        let settings = configuration.backend
        let device = configuration.device
        return ServiceConfiguration(
            origin: origin,
            http: HTTPConfiguration(
                userAgent: "passd/\(daemonVersion)", connectTimeout: settings.connectTimeout,
                requestTimeout: settings.requestTimeout, certificateAuthorities: settings.certificateAuthorities,
                proxy: settings.proxy),
            // One less than the service takes, so that nothing depends on who counts how.
            budget: RequestBudget.Settings(
                requestsPerSecond: settings.requestsPerSecond, burst: max(1, settings.burst - 1)),
            device: DeviceFacts(
                hardwareType: device.hardwareType, model: device.model, manufacturer: device.manufacturer,
                osVersion: kernelRelease),
            site: LoginSite(
                domainName: settings.domainName, redirectURL: settings.redirectURL,
                activationURL: settings.activationURL),
            sites: sites)
    }

    /// The readings of the contract that the configuration chooses.
    func engineSettings(_ configuration: Configuration) -> EngineSettings {
        var settings = EngineSettings()
        settings.remembersProvider = configuration.signOn.remembersProvider
        settings.selectStartsLogin = configuration.signOn.selectStartsLogin
        settings.cancelSignsOut = configuration.signOn.cancelSignsOut
        settings.logoutScope = configuration.signOn.logoutScope
        settings.isPassive = configuration.signOn.isPassive
        settings.resyncs = configuration.signOn.resyncs
        settings.secureBrowserProviders = Set(
            configuration.signOn.secureBrowserProviders.map { ProviderID(rawValue: $0) })
        settings.deviceIDIsReadable = configuration.device.isReadable
        let addresses = [configuration.backend.redirectURL] + operations.loaded.apps.map(\.redirectURL)
        settings.redirectAddresses = Set(addresses.compactMap { $0.map { String($0.prefix { $0 != "?" }) } })
        return settings
    }

    /// Nil if it is not wanted, or cannot be had: that costs sign-on, and not the start. The file of an earlier version does
    /// not stay in the clear in any case.
    func deviceKey(_ configuration: Configuration, _ vault: Vault) async -> DeviceKey? {
        let file = configuration.storage.directory + "/platform-key.pem"
        let isWanted = configuration.signOn.platformIdentity == .deviceKey
        guard isWanted || access(file, F_OK) == 0 else { return nil }
        do throws(DeviceKey.Fault) {
            let opened = try await DeviceKeyKeeping(vault: vault, file: file, now: BoxClock.wall).open()
            if let damage = opened.damage { warn("platform-key-damaged", damage) }
            return opened.key
        } catch {
            if isWanted {
                warn("platform-key-missing", "Apps are not signed on by each other's logins: \(error.description).")
            }
            return nil
        }
    }

    private func signOn(_ configuration: Configuration, _ key: DeviceKey?) -> BoxSignOn {
        var signOn = BoxSignOn()
        switch configuration.signOn.platformIdentity {
        case .none: break
        case .deviceKey: signOn.identity = key
        case .command(let path): signOn.identity = TokenProgram(path, report("platform-identity = command:\(path)"))
        }
        switch configuration.signOn.serviceToken {
        case .none: break
        case .file(let path): signOn.service = TokenFile(path, report("service-token = file:\(path)"))
        case .command(let path): signOn.service = TokenProgram(path, report("service-token = command:\(path)"))
        }
        signOn.platform = platform(configuration.signOn)
        return signOn
    }

    /// The box's TV account, if it has one.
    private func platform(_ signOn: Configuration.SignOn) -> BoxSignOn.Platform? {
        guard case .command(let path) = signOn.partner, let name = signOn.partnerName,
            let deviceType = signOn.partnerDeviceType
        else { return nil }
        let helper = PlatformHelper(path, clock, report: report("partner = command:\(path)")) { [journal] reason in
            journal.record(.signOnNote, .init("REASON", reason))
        }
        operations.platformHelper = helper
        return BoxSignOn.Platform(partner: Partner(name: name, deviceType: deviceType), helper: helper)
    }

    private func warn(_ code: String, _ message: String) {
        journal.record(.signOnProblem, .init("CODE", code), .init("REASON", message))
        operations.warnings.append(
            VaultHealth.Warning(code: code, message: message, remedy: "Log in once more; look at the state directory."))
    }

    private func report(_ setting: String) -> @Sendable (String) -> Void {
        { [journal] reason in journal.record(.signOnProblem, .init("SETTING", setting), .init("REASON", reason)) }
    }

    private nonisolated static var kernelRelease: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
