// Remembers the service of each provider, and the service that issued each login's code. The data is in memory only. For an
// unknown provider, the services are asked again. This type makes no requests. Contract: access-enabler.md §6.1.

import AccessEnabler

struct ProviderHomes: Sendable {
    static let maxRequestors = 64
    static let maxCodes = 64
    /// The max number of providers of one requestor. No list for viewers is longer.
    static let maxProviders = 1024

    private var homes: [RequestorID: [ProviderID: Int]] = [:]
    private var codes: [(code: RegistrationCode, part: Int)] = []

    func home(of provider: ProviderID, of requestor: RequestorID) -> Int? { homes[requestor]?[provider] }

    mutating func remember(_ part: Int, _ provider: ProviderID, of requestor: RequestorID) {
        if homes[requestor] == nil, homes.count >= Self.maxRequestors, let other = homes.keys.first {
            homes[other] = nil
        }
        let known = homes[requestor] ?? [:]
        if known[provider] == nil, known.count >= Self.maxProviders { homes[requestor] = nil }
        homes[requestor, default: [:]][provider] = part
    }

    /// Decides which service is asked about each provider. `answers` are in the order of their arrival. A provider stays with
    /// its service while that service names the provider, because otherwise a faster answer of another service could take a
    /// login away from a viewer. Any other provider goes to the first service that names it.
    mutating func settle(
        _ answers: [(part: Int, providers: [ProviderID])], of requestor: RequestorID
    ) -> [ProviderID: Int] {
        var candidates: [ProviderID: [Int]] = [:]
        for answer in answers {
            for provider in answer.providers { candidates[provider, default: []].append(answer.part) }
        }
        var settled: [ProviderID: Int] = [:]
        for (provider, parts) in candidates {
            let known = home(of: provider, of: requestor)
            guard let part = parts.first(where: { $0 == known }) ?? parts.first else { continue }
            settled[provider] = part
            remember(part, provider, of: requestor)
        }
        return settled
    }

    func part(of code: RegistrationCode) -> Int? { codes.last { $0.code == code }?.part }

    mutating func open(_ code: RegistrationCode, at part: Int) {
        close(code)
        codes = codes.suffix(Self.maxCodes - 1) + [(code, part)]
    }

    mutating func close(_ code: RegistrationCode) { codes.removeAll { $0.code == code } }
}
