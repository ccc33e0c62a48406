// Tests that the state of the older interface survives a restart, and that older files can still be read.

import FoundationEssentials
import Glibc
import PassJSON
import PassTestTools
import Testing

@testable import PassSandbox

@Suite struct OlderStateTests {
    @Test func `codes, logins, permits and logouts are read back`() throws {
        let folder = TemporaryDirectory()
        let path = folder.path + "/state"
        let client = try V1Client(SandboxFixture())
        let kids = V1Client(client, requestor: "LUMENKIDS")
        try client.logIn()
        #expect(client.authorize().status == 200)
        #expect(kids.logOut().status == 204)
        let code = try client.code()

        let before = client.fixture.sandbox.withWorld { world, _ in world.state }
        var fresh = State(random: SeededRandom(number: 2))
        var file: StateFile? = try StateFile(path: path, state: &fresh)
        var written = before
        for key in before.sessions.rows.keys { written.sessions[key] = before.sessions[key] }
        for key in before.profiles.rows.keys { written.profiles[key] = before.profiles[key] }
        for key in before.authorizations.rows.keys { written.authorizations[key] = before.authorizations[key] }
        for key in before.signOffs.rows.keys { written.signOffs[key] = before.signOffs[key] }
        try file?.commit(&written)
        file = nil

        var read = State(random: SeededRandom(number: 3))
        _ = try StateFile(path: path, state: &read)
        #expect(read.sessions[code]?.registration?.client == client.client.clientID)
        #expect(
            read.profiles.rows.values.map { $0.v1?.signOn } == before.profiles.rows.values.map { $0.v1?.signOn })
        #expect(read.authorizations.rows.keys.sorted() == before.authorizations.rows.keys.sorted())
        #expect(read.authorizations.rows.count == 1)
        #expect(read.signOffs.rows.count == 1)
    }

    @Test func `rows from before the older interface existed can be read`() throws {
        var state = State(random: SeededRandom(number: 1))
        let rows = """
            [["sessions","ABCDEFG",{"code":"ABCDEFG","id":"s","serviceProvider":"LUMENTV","client":"c","device":"d",\
            "deviceInfo":{"text":"{}"},"isProviderGiven":false,"identities":[],"begins":1,"ends":2,\
            "isSuperseded":false}],["profiles","k",{"client":"c","device":"d","serviceProvider":"LUMENTV",\
            "mvpd":"NorthCable","user":"ada","begins":1,"ends":2,"source":{"regular":{}},"isInvalidated":false,\
            "identities":[]}]]
            """
        try state.apply(try JSONValue.read(rows))
        #expect(state.sessions["ABCDEFG"]?.registration == nil)
        #expect(state.sessions["ABCDEFG"]?.device == "d")
        #expect(state.profiles["k"]?.v1 == nil)
        #expect(state.profiles["k"]?.source == .regular)
    }

    @Test func `a reset removes the state of the older interface`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        _ = client.authorize()
        _ = V1Client(client, requestor: "LUMENKIDS").logOut()
        try client.fixture.control("reset", [:])
        let left = client.fixture.sandbox.withWorld { world, _ in
            [world.state.sessions.rows.count, world.state.authorizations.rows.count, world.state.signOffs.rows.count]
        }
        #expect(left == [0, 0, 0])
    }

    @Test func `the journal does not show secrets of the older interface`() throws {
        let client = try V1Client(SandboxFixture())
        _ = client.get("tokens/authn", [Field("access_token", "secret-1"), Field("ast", "secret-2")])
        let text = client.send(.get("/sandbox/journal")).text
        #expect(text.contains("/api/v1/tokens/authn"))
        for secret in ["secret-1", "secret-2", client.client.token] { #expect(!text.contains(secret)) }
    }
}
