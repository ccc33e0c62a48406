// Tests that the box reports only configured facts about its viewer. Contract: rest-v2.md §3.6, §3.7.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct BoxSignOnTests {
    private static let noon = ServerTime(milliseconds: 1_795_564_800_000)

    @Test func `without configuration the box has neither token`() async {
        #expect(await BoxSignOn().identityToken(at: Self.noon) == nil)
        #expect(await BoxSignOn().serviceToken(at: Self.noon) == nil)
    }

    @Test func `the identity token is the device key's token`() async throws {
        let (key, _) = try DeviceKey.make()
        let token = try #require(await BoxSignOn(identity: key).identityToken(at: Self.noon)).reveal()
        #expect(token == key.identityToken(at: Self.noon)?.reveal())
    }
}
