// Chooses the provider: the requested provider, or the provider that the person picks from a numbered list.

import PassArguments
import PassJSON
import PassProtocol

struct ProviderPrompt: Sendable {
    let wanted: String?
    let console: any Console

    /// Chooses a provider; nil if the person chose none.
    func choose(_ providers: [MVPD]) async throws(Mistake) -> MVPD? {
        if let wanted {
            if let provider = providers.first(where: { $0.id == wanted }) { return provider }
            throw Mistake(
                "This requestor has no provider \(wanted).", wanted, among: providers.map(\.id),
                else: "Use --provider with one of: \(Self.list(providers)).")
        }
        guard console.canAsk else {
            throw Mistake(
                "A provider must be chosen.", remedy: "Use --provider with one of: \(Self.list(providers)).")
        }
        let width = "\(providers.count)".count
        for (number, provider) in providers.enumerated() {
            console.warn(
                "\("\(number + 1)".padded(to: width))  \(provider.displayName.onOneLine) (\(provider.id.onOneLine))\n")
        }
        while true {
            console.warn("Your provider, 1 to \(providers.count): ")
            guard let line = await console.readLine() else {
                console.warn("\n")
                return nil
            }
            let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if let number = Int(word), (1...max(1, providers.count)).contains(number), !providers.isEmpty {
                return providers[number - 1]
            }
            if let provider = providers.first(where: { $0.id == word }) { return provider }
        }
    }

    private static func list(_ providers: [MVPD]) -> String { providers.map(\.id).joined(separator: ", ") }
}
