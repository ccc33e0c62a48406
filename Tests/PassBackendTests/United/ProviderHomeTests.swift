// Tests that the record of providers and their services is limited.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("access-enabler.md §6.1: several services") struct ProviderHomeTests {
    @Test func `a service that always names new providers does not fill the memory`() {
        var homes = ProviderHomes()
        let requestor = RequestorID(rawValue: "NEWS24")
        for number in 0..<(3 * ProviderHomes.maxProviders) {
            _ = homes.settle([(part: 1, providers: [ProviderID(rawValue: "P\(number)")])], of: requestor)
        }
        let known = (0..<(3 * ProviderHomes.maxProviders)).count {
            homes.home(of: ProviderID(rawValue: "P\($0)"), of: requestor) != nil
        }
        #expect((1...ProviderHomes.maxProviders).contains(known))
    }
}
