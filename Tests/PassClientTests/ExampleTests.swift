// Tests the example of docs/swift-client.md. The page shows the code that is compiled here, and it works as described.

import FoundationEssentials
import PassClient
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@Suite("docs/swift-client.md: the example")
struct ExampleTests {
    private static let folder = String(#filePath.dropLast("ExampleTests.swift".count))
    private static let provider = MVPD(id: "NorthCable", displayName: "North Cable")
    private static let invitation = LoginInvitation(code: "K7MPQ2", url: "https://activate.example/?code=K7MPQ2")

    @Test func `the page shows the example as it is compiled`() throws {
        let example = try String(contentsOfFile: Self.folder + "Example.swift", encoding: .utf8)
        let page = try String(contentsOfFile: Self.folder + "../../docs/swift-client.md", encoding: .utf8)
        #expect(page.contains("```swift\n" + example + "```\n"))
    }

    private struct Television: LoginScreen {
        let shown = Recorder<LoginInvitation>()

        func choose(_ providers: [MVPD]) async -> MVPD? { providers.first }

        func show(_ invitation: LoginInvitation) async { shown.append(invitation) }
        func hide() async {}
    }

    /// A daemon that asks for a provider, shows a code, and then reports the end of the login.
    private func daemon(endingWith endings: [Callback]) throws -> ServedPeer {
        try ServedPeer { call in
            switch call.request.method {
            case "getAuthentication":
                call.answer(.success(GetAuthentication.Result.selectProvider([Self.provider]).json))
            case "setSelectedProvider":
                call.answer(.success(SetSelectedProvider.Result.secondScreen(Self.invitation).json))
                for ending in endings { call.connection.notify(ending) }
            default: call.answer(.success([:]))
            }
        }
    }

    @Test func `it does not wait if there is no code`() async throws {
        let served = try ServedPeer { call in call.answer(.success(["state": "none"])) }
        let client = Client(served.client())
        let television = Television()
        #expect(try await !signIn(client, on: television) && television.shown.elements.isEmpty)
        client.close()
    }

    @Test(
        arguments: [
            ([.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated))], true),
            ([.setAuthenticationStatus(status: 0, .genericAuthentication, nil, LoginOutcome(.failed))], false),
            (
                [
                    .setAuthenticationStatus(status: 0, .userNotAuthenticated, .logout),
                    .setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)),
                ], true
            ),
        ] as [([Callback], Bool)])
    func `the app shows the code, and is told how the login ends`(
        _ endings: [Callback], _ isSignedIn: Bool
    ) async throws {
        let served = try daemon(endingWith: endings)
        let client = Client(served.client())
        let television = Television()
        #expect(try await signIn(client, on: television) == isSignedIn)
        #expect(television.shown.elements == [Self.invitation])
        client.close()
    }

    @Test func `a daemon that stops is an error, not a refusal`() async throws {
        let served = try ServedPeer { call in
            call.answer(.success(GetAuthentication.Result.secondScreen(Self.invitation).json))
            call.connection.finish(.requested("test"))
        }
        let client = Client(served.client())
        await #expect(throws: ClientFault.self) { try await signIn(client, on: Television()) }
        client.close()
    }
}
