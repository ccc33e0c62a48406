// The configuration in force as an operator sees it: every setting with its origin, without secrets, and the values
// that the files have now. rpc.md §7.

package import PassProtocol

package enum ConfigurationView {
    /// `files` is what a reload would read.
    package static func result(
        of loaded: LoadedConfiguration, files: LoadedConfiguration
    ) -> ConfigurationInForce.Result {
        let plan: ReloadPlan? =
            if case .accepted(let plan) = ReloadPlan.decide(from: loaded, to: files) { plan } else { nil }
        let changes = Dictionary(plan?.changes.map { ($0.name, $0.new) } ?? []) { first, _ in first }
        let problems = plan == nil ? files.problems.map(\.description) : []
        return ConfigurationInForce.Result(
            settings: SettingTable.all.compactMap { setting in
                loaded.values[setting.name].map { view(of: setting, $0, changes[setting.name]) }
            }, apps: loaded.apps.map(view),
            differences: (plan?.apps.lines ?? []) + problems)
    }

    private static func view(
        of setting: Setting, _ value: EffectiveValue, _ now: EffectiveValue?
    ) -> ConfigurationInForce.Setting {
        var candidate = Configuration.defaults
        _ = setting.apply(value.text, &candidate)
        return ConfigurationInForce.Setting(
            section: setting.name.section, key: setting.name.key, value: shown(value.text, of: setting),
            defaultValue: setting.defaultValue, origin: value.origin.description,
            isChanged: value.origin != .builtIn && candidate != .defaults, effect: setting.effect.rawValue,
            inFiles: now.map { (shown($0.text, of: setting), $0.origin.description) })
    }

    private static func view(of app: AppStanza) -> ConfigurationInForce.App {
        let source = app.statementSource?.description ?? "none"
        var view = ConfigurationInForce.App(
            name: app.name, origin: app.place.description, requestors: app.requestors,
            statement: app.statement.isUsable ? source : "\(source), which cannot be used",
            allow: app.allow.map(\.text),
            may: Capability.allCases.filter(app.may.contains).map(\.rawValue),
            origins: AppKey.allCases.filter { app.places[$0] != nil || !$0.isOptional }.map { key in
                (key.rawValue, app.places[key]?.description ?? EffectiveValue.Origin.builtIn.description)
            })
        view.activationURL = app.activationURL.map(withoutSecrets)
        view.domainName = app.domainName
        view.redirectURL = app.redirectURL.map(withoutSecrets)
        view.finishURL = app.finishURL
        return view
    }

    /// `finish-url` has no secret: the programmer registers it, and every phone sees it.
    private static func shown(_ text: String, of setting: Setting) -> String {
        setting.name.key == "finish-url" ? text : withoutSecrets(text)
    }

    /// A quotation mark may be part of an address.
    static func withoutSecrets(_ text: String) -> String { text.withoutAddressSecrets("(secret)", isQuoted: false) }
}

extension AppStanza.Statement {
    fileprivate var isUsable: Bool { if case .unusable = self { false } else { true } }
}
