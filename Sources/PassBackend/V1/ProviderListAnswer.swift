// The configuration of a requestor. Its shape is not published, so the list of providers is found by its name at any
// depth: as an array, as a single provider, or as an element around either. Contract: rest-v1.md §6.3,
// open-questions.md OQ-38.

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
    /// The registered domains, if they are beside the providers.
    let domains: [String]

    var excess: String? { providers.lazy.compactMap(\.excess).first }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        let found = try? container.decode([Lenient<DomainAnswer>].self, forKey: Name("domains"))
        let beside = found?.compactMap { $0.value?.name } ?? []
        for name in Self.names {
            let key = Name(name)
            if let list = try? container.decode([Lenient<ProviderAnswer>].self, forKey: key) {
                providers = list.compactMap { $0.value?.provider }.filter { !$0.id.rawValue.isEmpty }
                domains = beside
                return
            }
            if let one = try? container.decode(ProviderAnswer.self, forKey: key), !one.id.isEmpty {
                providers = [one.provider]
                domains = beside
                return
            }
        }
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let inner = try? container.decode(ProviderListAnswer.self, forKey: key) else { continue }
            providers = inner.providers
            domains = beside.isEmpty ? inner.domains : beside
            return
        }
        throw DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "there is no list of providers"))
    }
}
