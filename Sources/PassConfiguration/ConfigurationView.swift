// The configuration in force, for operators: every setting with its origin, and with its present value in the files. The view
// contains no secrets. rpc.md §7.

import PassBackend
package import PassJSON
import PassProtocol

package enum ConfigurationView {
    /// Returns the view of `loaded`, the configuration in force. `files` is the configuration that a reload would read.
    package static func result(
        of loaded: LoadedConfiguration, files: LoadedConfiguration
    ) -> JSONValue {
        let plan: ReloadPlan? =
            if case .accepted(let plan) = ReloadPlan.decide(from: loaded, to: files) { plan } else { nil }
        let changes = Dictionary(plan?.changes.map { ($0.name, $0.new) } ?? []) { first, _ in first }
        let problems = plan == nil ? files.problems.map(\.line) : []
        let settings = SettingTable.all.compactMap { setting in
            loaded.values[setting.name].map { view(of: setting, $0, changes[setting.name]) }
        }
        return [
            "settings": .array(settings), "apps": .array(loaded.apps.map(view)),
            "differences": .strings((plan?.apps.lines ?? []) + problems),
        ]
    }

    private static func view(of setting: Setting, _ value: EffectiveValue, _ now: EffectiveValue?) -> JSONValue {
        var candidate = Configuration.defaults
        _ = setting.apply(value.text, &candidate)
        return .members([
            "section": .string(setting.name.section), "key": .string(setting.name.key),
            "value": .string(shown(value.text, of: setting)), "default": .string(setting.defaultValue),
            "origin": .string(value.origin.description),
            "isChanged": .bool(value.origin != .builtIn && candidate != .defaults),
            "effect": .string(setting.effect.rawValue),
            "inFiles": now.map {
                ["value": .string(shown($0.text, of: setting)), "origin": .string($0.origin.description)]
            },
        ])
    }

    private static func view(of app: AppStanza) -> JSONValue {
        let source = app.statementSource?.description ?? "none"
        let origins = AppKey.allCases.filter { app.places[$0] != nil || !$0.isOptional }.map { key in
            (key.rawValue, JSONValue.string(app.places[key]?.description ?? EffectiveValue.Origin.builtIn.description))
        }
        return .members([
            "name": .string(app.name), "title": app.title.map(JSONValue.string),
            "origin": .string(app.place.description), "requestors": .strings(app.requestors),
            "statement": .string(app.statement.isUsable ? source : "\(source), which cannot be used"),
            "allow": .strings(app.allow.map(\.text)),
            "may": .strings(Capability.allCases.filter(app.may.contains).map(\.rawValue)),
            "origins": .object(JSONObject(origins)),
            "activationURL": app.site.activationURL.map { .string(withoutQuery($0)) },
            "domainName": app.site.domainName.map(JSONValue.string),
            "redirectURL": app.site.redirectURL.map { .string(withoutSecrets($0)) },
            "finishURL": app.site.finishURL.map(JSONValue.string),
        ])
    }

    /// Returns the value without its secrets. `finish-url` is not secret, because every phone sees this address. The path of
    /// `activation-url` is not secret, because viewers type it.
    private static func shown(_ text: String, of setting: Setting) -> String {
        switch setting.name.key {
        case "finish-url": text
        case "activation-url": withoutQuery(text)
        default: withoutSecrets(text)
        }
    }

    /// The address of a page without its query and fragment. Addresses of pages have no user and no password.
    private static func withoutQuery(_ text: String) -> String {
        guard let end = text.utf8.firstIndex(where: "?#".utf8.contains) else { return text }
        return text[...end] + "(secret)"
    }

    /// Hides the secrets of addresses. A quotation mark does not end an address, because the text has no quotes around it.
    static func withoutSecrets(_ text: String) -> String { text.withoutAddressSecrets("(secret)", isQuoted: false) }
}

extension AppStanza.Statement {
    fileprivate var isUsable: Bool { if case .unusable = self { false } else { true } }
}
