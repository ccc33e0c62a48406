// The keys of an app stanza. passd.conf(5) explains them.

enum AppKey: String, CaseIterable, Sendable {
    case requestors
    case softwareStatement = "software-statement"
    case allow, may
    case activationURL = "activation-url"
    case domainName = "domain-name"
    case redirectURL = "redirect-url"
    case finishURL = "finish-url"

    /// Whether the setting of the same name in [backend] applies if the stanza does not have this key.
    var isOptional: Bool {
        switch self {
        case .requestors, .softwareStatement, .allow, .may: false
        case .activationURL, .domainName, .redirectURL, .finishURL: true
        }
    }
}
