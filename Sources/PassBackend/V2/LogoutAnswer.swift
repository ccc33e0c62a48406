// The answer of L1. If the map's key and the inner name of the provider differ, the inner one is used. An unknown
// action means that the logout is finished. Contract: rest-v2.md L1, §5.

import AccessEnabler

struct LogoutAnswer: Decodable, Sendable {
    private struct Entry: Decodable, Sendable {
        var actionName: String
        var mvpd: String?
        var url: String?
    }

    private let logouts: [String: Entry]

    func step(for provider: ProviderID, _ origin: Origin) -> LogoutStep {
        let named = logouts.first { ($0.value.mvpd ?? $0.key) == provider.rawValue }
        guard let entry = named?.value ?? logouts.first?.value else { return .nothingToDo }
        switch entry.actionName {
        case "logout": return entry.url.flatMap { absolute($0, origin) }.map(LogoutStep.openURL) ?? .finished
        case "partner_logout": return .systemSettings
        case "invalid": return .nothingToDo
        default: return .finished
        }
    }
}
