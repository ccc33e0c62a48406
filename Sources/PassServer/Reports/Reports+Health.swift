// `passd.doctor`: named checks, with remedies for failed checks. rpc.md §7.

import AccessEnabler
import PassConfiguration
import PassJSON
import PassProtocol
import PassSystem

extension Reports {
    func examine(_ params: Doctor.Params) async -> JSONValue {
        let health = await parts.storeHealth()
        var checks = (boxWarnings(health) + configurationWarnings(withoutStatements: true)).map { $0.check() }
        if health.isPersistent, engine.unsavedChanges == 0 {
            checks.append(Doctor.Check("store", .pass, message: "The store can be written."))
        } else {
            checks.append(
                Doctor.Check(
                    "store", .fail, message: "passd cannot write changes to the disk.",
                    remedy: health.isRefused
                        ? "See vault-newer-schema."
                        : "Do not restart passd or the box before this is repaired, because new logins would be lost. "
                            + "Run: df /var/lib/passd. The administrator of the box has to free space on the disk, or check "
                            + "the mode and owner of the state directory.")
            )
        }
        let look = await lookAtService(isOffline: params.isOffline)
        async let pages = look.answers ? loginPageChecks() : []
        let apps = await appChecks(tries: look.answers, isOffline: params.isOffline)
        // Something has answered, but it may be another program, such as a captive portal (the login page of a network). The
        // checks of the apps notice this, so `contactChecks` comes after them.
        checks += look.answers ? contactChecks() : look.checks
        checks += [wayCheck, pageCheck].compactMap(\.self) + linkChecks + refusedLoginChecks
        checks += logoutWarnings.map { $0.check($0.code == "logout-refused" ? .fail : .warn, named: "logouts") }
        checks += await pages + confinementChecks(.current)
        checks += [await helperCheck(), signOnCheck].compactMap(\.self)
        let all = (checks + apps).map { check in
            Doctor.Check(
                check.name, check.outcome, message: addressed(check.message), remedy: check.remedy.map(addressed))
        }
        return ["checks": .array(all.map(\.json))]
    }

    /// Adds the instance to the commands in a text, because the commands would otherwise act on the box's main daemon.
    func addressed(_ text: String) -> String {
        guard let instance = parts.instance else { return text }
        return ["passd-setup", "passd-cli"].reduce(text) { text, program in
            text.with("\(program) --instance \(instance.text) ", for: "\(program) ")
        }
    }

    func addressed(_ warning: VaultHealth.Warning) -> VaultHealth.Warning {
        VaultHealth.Warning(
            code: warning.code, message: addressed(warning.message), remedy: addressed(warning.remedy))
    }

    func addressed(_ decision: Decisions.Decision) -> Decisions.Decision {
        var decision = decision
        decision.remedy = decision.remedy.map(addressed)
        return decision
    }

    /// Checks whether viewers of each app can sign in, and says in which way. Ruling 43.
    private var wayCheck: Doctor.Check? {
        loginWays.map { ways in
            Doctor.Check(
                "sign-in", ways.isLacking ? .fail : .pass, message: ways.text,
                remedy: ways.isLacking ? Self.setAddress : nil)
        }
    }

    var loginWays: (text: String, isLacking: Bool)? {
        state.loaded.loginWays(withoutLink: Set(engine.requestorsWithoutLink.map(\.rawValue)))
    }

    private static let setAddress =
        "Set finish-url to the page that a phone shows at the end of a login, or set activation-url to the page "
        + "where viewers type the code. Either can be in [backend] or in the app's stanza. Then reload."

    /// Fails if a requestor's last login had no page for the viewer to open. Ruling 43.
    private var pageCheck: Doctor.Check? {
        let requestors = engine.requestorsWithoutPage.map(\.rawValue)
        guard !requestors.isEmpty else { return nil }
        return Doctor.Check(
            "activation-page", .fail,
            message:
                "Viewers cannot log in: logins of \(requestors.joined(separator: ", ")) have no link and no page.",
            remedy: Self.setAddress)
    }

    /// The failed checks of requestors whose codes came without a link to the provider. A requestor is listed only if the
    /// configuration has an address for the end of its logins.
    private var linkChecks: [Doctor.Check] {
        Self.missingLinks.compactMap { reason, because, remedy in
            let requestors = engine.requestors(missingLink: reason).map(\.rawValue)
            guard !requestors.isEmpty else { return nil }
            return Doctor.Check(
                "login-link", .fail,
                message:
                    "Codes of \(requestors.joined(separator: ", ")) came without a link to the provider: \(because).",
                remedy: remedy)
        }
    }

    private static let missingLinks: [(OpenLogin.MissingLink, String, String)] = [
        (
            .addressRefused, "the service does not accept the login's domain or the address where the login ends",
            "Ask the programmer to register the address of finish-url (or redirect-url) for the app. Or change the "
                + "address, and reload."
        ),
        (
            .noDomain, "passd knows no domain that is registered with the service",
            "Set domain-name in [backend] or in the app's stanza to a domain that the programmer has registered with "
                + "the service. Then reload."
        ),
        (
            .notGiven, "the service gave no link",
            "Ask the programmer to check the domain and the finish-url that are registered for the app."
        ),
    ]

    /// A failed check for each login that the service refuses to begin. The cause is often a setting of this box.
    private var refusedLoginChecks: [Doctor.Check] {
        engine.refusedLogins.map { requestor, provider, fault in
            let login = requestor.rawValue + (provider.map { " with the provider \($0)" } ?? "")
            let reason = ReasonTable.reason(of: fault.code)
            let said = if case .refused(let error) = fault.kind { error.message ?? "" } else { "" }
            let meaning = (reason?.meaning ?? said.onOneLine.cut(toBytes: 256)).withoutStop
            return Doctor.Check(
                "login", .fail,
                message: "The service refuses a login of \(login.onOneLine.cut(toBytes: 128)): "
                    + "\(meaning) (\(fault.marks.onOneLine.cut(toBytes: 128))).",
                remedy: reason?.remedy ?? "Give code and trace to the operator of the service.")
        }
    }

    /// Checks whether apps of different programmers can share a login. The text of the check names the settings that make this
    /// possible. The service has to support them, too. Nil if there is only one app.
    private var signOnCheck: Doctor.Check? {
        let configuration = state.loaded.configuration
        guard configuration.backend.origin != nil,
            policyInForce.policy.stanzas.count(where: { $0.may.contains(.entitlement) }) > 1
        else { return nil }
        var means: [String] = []
        if configuration.backend.version == .v1 { means.append("the device's identifier") }
        if configuration.signOn.platformIdentity != .none { means.append("the platform identity") }
        if configuration.signOn.serviceToken != .none { means.append("the service token") }
        if configuration.signOn.partner != .none { means.append("the box's TV account") }
        guard !means.isEmpty else {
            return Doctor.Check(
                "single-sign-on", .warn, message: "Apps of different programmers do not share a login.",
                remedy: remedy(
                    "In [sign-on], set platform-identity, service-token or partner. Ask the service's operator which "
                        + "of them the service supports.",
                    about: ["platform-identity", "service-token", "partner"].map { "[sign-on] \($0)" }))
        }
        return Doctor.Check(
            "single-sign-on", .pass,
            message: "Apps of different programmers share a login by \(means.joined(separator: ", "))"
                + ", if the service accepts that.")
    }

    /// Checks whether the unit's sandbox blocks the network, or hides the units that rules need.
    func confinementChecks(_ sight: Confinement) -> [Doctor.Check] {
        let conditions = policyInForce.policy.stanzas.flatMap(\.allow).flatMap(\.conditions)
        let remedy = "See CONFINEMENT in passd(8)."
        var checks: [Doctor.Check] = []
        if !sight.network {
            checks.append(
                Doctor.Check(
                    "network", .fail, message: "The systemd unit does not let the daemon use the network.",
                    remedy: remedy))
        }
        if !sight.units, conditions.contains(where: { if case .unit = $0 { true } else { false } }) {
            checks.append(
                Doctor.Check(
                    "peer-unit", .fail,
                    message: "The daemon cannot see the units of its clients, so rules with \"unit:\" never match.",
                    remedy: remedy))
        }
        return checks
    }

    private func helperCheck() async -> Doctor.Check? {
        guard let helper = parts.helper else { return nil }
        do throws(PlatformFault) {
            return Doctor.Check("platform-helper", .pass, message: "\(try await helper.introduceItself()) answers.")
        } catch {
            let reason = if case .unavailable(let reason) = error { reason } else { "It does not answer." }
            return Doctor.Check(
                "platform-helper", .fail, message: reason,
                remedy: remedy("Check [sign-on] partner, and read the log of passd.", about: ["[sign-on] partner"]))
        }
    }
}

extension String {
    /// The reason with a capital letter and a full stop.
    var asSentence: String { (first?.uppercased() ?? "") + dropFirst() + "." }

    /// The sentence without its full stop, so that more words can follow.
    var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
