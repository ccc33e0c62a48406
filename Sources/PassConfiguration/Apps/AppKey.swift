// The table of the keys of an app stanza, for the reader and the manual.

package enum AppKey: String, CaseIterable, Sendable {
    case requestors
    case softwareStatement = "software-statement"
    case allow, may
    case activationURL = "activation-url"
    case domainName = "domain-name"
    case redirectURL = "redirect-url"
    case finishURL = "finish-url"

    /// Whether the setting of the same name in [backend] applies if the stanza does not have this key.
    package var isOptional: Bool {
        switch self {
        case .requestors, .softwareStatement, .allow, .may: false
        case .activationURL, .domainName, .redirectURL, .finishURL: true
        }
    }

    package var form: String {
        switch self {
        case .requestors: "IDs separated by spaces"
        case .softwareStatement: ValueType.statement.form
        case .allow:
            "user:NAME group:NAME unit:NAME socket:NAME origin:ORIGIN; spaces separate alternatives, + joins conditions "
                + "that must all hold"
        case .may: "entitlement, observe, or both with a space between them"
        case .activationURL, .domainName, .redirectURL, .finishURL: "as in [backend]"
        }
    }

    package var defaultValue: String {
        switch self {
        case .requestors, .allow: "nothing"
        case .softwareStatement: "none; the app then sends a statement in setRequestor"
        case .may: "entitlement"
        case .activationURL, .domainName, .redirectURL, .finishURL: "as in [backend]"
        }
    }

    package var summary: String {
        switch self {
        case .requestors: "The requestors (channel or app brands) that the app may ask for."
        case .softwareStatement: "The software statement: the signed text that registers the app with the service."
        case .allow: "The processes and web apps that passd accepts as this app. Users and groups may be numbers."
        case .may:
            "What the app may do. entitlement: let viewers log in, and ask what they may watch. observe: receive "
                + "events and metrics."
        case .activationURL, .domainName, .redirectURL, .finishURL:
            "Replaces the setting of the same name in [backend] for this app."
        }
    }
}
