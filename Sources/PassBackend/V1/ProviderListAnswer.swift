// The configuration of a requestor. Its format is not published, so the list of providers is found by its name wherever
// it is: as an array, as a single provider, or inside another element. Contract: rest-v1.md §6.3, open-questions.md
// OQ-38.

import AccessEnabler

struct ProviderListAnswer: Decodable, Sendable, BoundedAnswer {
    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let names = ["mvpds", "mvpd"]

    let providers: [Provider]

    var excess: String? { providers.lazy.compactMap(\.excess).first }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for name in Self.names {
            let key = Name(name)
            if let list = try? container.decode([Lenient<ProviderAnswer>].self, forKey: key) {
                providers = list.compactMap { $0.value?.provider }.filter { !$0.id.rawValue.isEmpty }
                return
            }
            if let one = try? container.decode(ProviderAnswer.self, forKey: key), !one.id.isEmpty {
                providers = [one.provider]
                return
            }
        }
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let inner = try? container.decode(ProviderListAnswer.self, forKey: key) else { continue }
            providers = inner.providers
            return
        }
        throw DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "there is no list of providers"))
    }
}
