// An app with one channel: it signs the viewer in where that is needed, and gets the media token for one play.

import FoundationEssentials
import PassClient
import PassJSON
import PassProtocol

/// The app's own screens.
protocol LoginScreen: Sendable {
    /// The provider that the viewer picks from the list; nil if none.
    func choose(_ providers: [MVPD]) async -> MVPD?
    /// Shows code and address, and returns at once.
    func show(_ invitation: LoginInvitation) async
    /// The login has ended: takes code and address off the screen.
    func hide() async
}

/// Good for one play. Nil: the viewer or the provider says no.
func mediaToken(
    for resource: String, of requestor: String, on screen: some LoginScreen
) async throws(ClientFault) -> String? {
    let sockets = DaemonSockets.find(environment: ProcessInfo.processInfo.environment)
    let client = try await Client.connect(to: sockets.api)
    defer { client.close() }
    client.introduce(name: "example", version: "1.0")
    _ = try await client.call(SetRequestor.self, .init(requestorID: requestor))
    guard try await signIn(client, on: screen) else { return nil }
    let answer = try await client.call(CheckAuthorization.self, .init(resource: resource))
    return answer["token"]?.string
}

/// True as soon as the viewer is signed in, which may be at once.
func signIn(_ client: Client, on screen: some LoginScreen) async throws(ClientFault) -> Bool {
    var step = LoginProgress(reading: try await client.call(GetAuthentication.self, .init()))
    while case .choose(let providers) = step {
        guard let provider = await screen.choose(providers) else { return false }
        step = LoginProgress(reading: try await client.call(SetSelectedProvider.self, .init(providerID: provider.id)))
    }
    switch step {
    case .authenticated: return true
    case .invitation(let invitation): await screen.show(invitation)
    case .platformDialog: break
    // There is no code, so no callback would report an end.
    default: return false
    }
    defer { Task { await screen.hide() } }
    // The daemon watches over the login. A callback with an outcome says how it ended.
    for await callback in client.callbacks where callback.method == "setAuthenticationStatus" {
        if let outcome = callback.params["outcome"]?.string { return outcome == "authenticated" }
    }
    throw await client.ending ?? .cancelled
}
