// The answer of C1. The reference's table and its sample have the providers in two different places. Only their IDs are
// required.
// Contract: rest-v2.md C1.

import AccessEnabler

struct ConfigurationAnswer: Decodable, Sendable, BoundedAnswer {
    private struct Requestor: Decodable { var mvpds: [Lenient<ProviderAnswer>]? }

    let providers: [Provider]

    var excess: String? { providers.lazy.compactMap(\.excess).first }

    private enum CodingKeys: CodingKey { case requestor, mvpds }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let inner = try container.decodeIfPresent(Requestor.self, forKey: .requestor)?.mvpds
        let outer = try container.decodeIfPresent([Lenient<ProviderAnswer>].self, forKey: .mvpds)
        guard let list = inner ?? outer else {
            throw DecodingError.dataCorruptedError(
                forKey: .mvpds, in: container, debugDescription: "there is no list of providers")
        }
        providers = list.compactMap { $0.value?.provider }
    }
}
