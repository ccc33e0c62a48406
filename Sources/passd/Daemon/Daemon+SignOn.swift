// Makes the parts for single sign-on: the device key, token programs, and the helper of the TV account. `[sign-on]` configures
// these parts. Contract: rest-v2.md §3.6, §12.3; access-enabler.md §17.2.

package import AccessEnabler
import Glibc
import PassConfiguration
import PassPlatform
import PassServer
import PassSystem
import PassVault

extension Daemon {
    /// Opens the device key. The key is nil if it is not configured or cannot be made. In this case, the daemon starts without
    /// single sign-on by this key.
    func openDeviceKey(
        _ configuration: Configuration, _ vault: Vault, isForeign: Bool
    ) async -> (key: DeviceKey?, warning: VaultHealth.Warning?) {
        let isWanted = configuration.signOn.platformIdentity == .deviceKey
        // A key of another device is removed from the store, even if this box needs no device key.
        guard isWanted || isForeign else { return (nil, nil) }
        do throws(DeviceKey.Fault) {
            let opened = try await DeviceKeyKeeping(vault: vault, isForeign: isForeign).open()
            return (opened.key, opened.damage.map { warning("platform-key-damaged", $0) })
        } catch {
            guard isWanted else { return (nil, nil) }
            let message = "Single sign-on between apps does not work: \(error.description)."
            return (nil, warning("platform-key-missing", message))
        }
    }

    func makeSignOn(_ settings: Configuration.SignOn, _ key: DeviceKey?) -> BoxSignOn {
        var signOn = BoxSignOn()
        switch settings.platformIdentity {
        case .none: break
        case .deviceKey: signOn.identity = key
        case .command(let path): signOn.identity = TokenProgram(path, report("platform-identity = command:\(path)"))
        }
        switch settings.serviceToken {
        case .none: break
        case .file(let path):
            let files = FileQuestions("passd.token")
            signOn.service = TokenFile(path, report("service-token = file:\(path)")) { [clock] look in
                await files.answer(by: clock, look)
            }
        case .command(let path): signOn.service = TokenProgram(path, report("service-token = command:\(path)"))
        }
        signOn.platform = makePlatform(settings)
        return signOn
    }

    /// Makes the partner and the helper for the box's TV account; nil if no account is configured.
    private func makePlatform(_ signOn: Configuration.SignOn) -> BoxSignOn.Platform? {
        guard case .command(let path) = signOn.partner, let name = signOn.partnerName,
            let deviceType = signOn.partnerDeviceType
        else { return nil }
        let helper = PlatformHelper(path, clock, report: report("partner = command:\(path)")) { [journal] reason in
            journal.record(.signOnNote, .init("REASON", reason))
        }
        return BoxSignOn.Platform(partner: Partner(name: name, deviceType: deviceType), helper: helper)
    }

    /// `message` ends with a full stop. The journal's record adds a full stop, so the journal gets the message without one.
    private func warning(_ code: String, _ message: String) -> VaultHealth.Warning {
        journal.record(.signOnProblem, .init("CODE", code), .init("REASON", String(message.dropLast())))
        return VaultHealth.Warning(
            code: code, message: message, remedy: "Check the state directory, then log in again.")
    }

    private func report(_ setting: String) -> @Sendable (String) -> Void {
        { [journal] reason in journal.record(.signOnProblem, .init("SETTING", setting), .init("REASON", reason)) }
    }
}

extension PlatformHelper: AccountHelper {
    package func introduceItself() async throws(PlatformFault) -> String {
        let introduction = try await introduction()
        return "\(introduction.name) \(introduction.version)"
    }
}
