// The answer of C1. The reference's table and its sample have the providers in different places. Only their ids are
// required. Contract: rest-v2.md C1.

import AccessEnabler

struct ConfigurationAnswer: Decodable, Sendable, BoundedAnswer {
    private struct Requestor: Decodable {
        var mvpds: [Lenient<ProviderAnswer>]?
        var domains: Lenient<[Lenient<DomainAnswer>]>?
    }

    let providers: [Provider]
    let domains: [String]

    var excess: String? { providers.lazy.compactMap(\.excess).first }

    private enum CodingKeys: CodingKey { case requestor, mvpds }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let requestor = try container.decodeIfPresent(Requestor.self, forKey: .requestor)
        domains = requestor?.domains?.value?.compactMap { $0.value?.name } ?? []
        let outer = try container.decodeIfPresent([Lenient<ProviderAnswer>].self, forKey: .mvpds)
        guard let list = requestor?.mvpds ?? outer else {
            throw DecodingError.dataCorruptedError(
                forKey: .mvpds, in: container, debugDescription: "there is no list of providers")
        }
        providers = list.compactMap { $0.value?.provider }
    }
}
