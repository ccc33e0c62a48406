// The keys of an app stanza. passd.conf(5) explains them.

enum AppKey: String, CaseIterable, Sendable {
    case title
    case requestors
    case softwareStatement = "software-statement"
    case allow, may
    case activationURL = "activation-url"
    case domainName = "domain-name"
    case redirectURL = "redirect-url"
    case finishURL = "finish-url"

    /// Whether the key has no default in a stanza. If an address is missing, the setting of [backend] applies.
    var isOptional: Bool {
        switch self {
        case .requestors, .softwareStatement, .allow, .may: false
        case .title, .activationURL, .domainName, .redirectURL, .finishURL: true
        }
    }
}
