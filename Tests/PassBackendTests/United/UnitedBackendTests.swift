// Tests two services as one: which requests go to both, which to one, and what happens if a service is unreachable.

import PassTestKit
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("access-enabler.md §6.1: several service providers") struct UnitedBackendTests {
    private let union = Union()
    private var east: Station { union.east }
    private var west: Station { union.west }
    private var backend: UnitedBackend { union.backend }
    private var caller: BackendCaller { union.caller }

    private func ask(_ work: () async throws -> some Any) async -> BackendFault.Kind? {
        do { _ = try await work() } catch { return (error as? BackendFault)?.kind }
        return nil
    }

    @Test func `the registration is the first service's, with the origins of all services`() {
        #expect(
            caller.registration
                == RegistrationKey(
                    app: AppID(rawValue: "tv.app"), statement: "d-s",
                    origin: "https://east.example https://west.example",
                    interface: "v2"))
        #expect(backend.traits == east.traits)
    }

    @Test func `each service gets its own registration and the caller's statement`() async throws {
        try await union.providers(slower: \.east)
        try await backend.prepare(caller)
        _ = try await backend.profiles(.all, caller)
        _ = try await backend.authorize([film], at: Union.m1, caller)
        for station in [east, west] {
            try await station.callers.wait(for: 3)
            for caller in station.callers.elements {
                #expect(
                    caller.registration == station.registration(of: AppID(rawValue: "tv.app"), statement: Secret("s")))
                #expect(caller.softwareStatement.reveal() == "s" && caller.requestor.rawValue == "NEWS24")
            }
        }
    }

    @Test func `golden trace 8: if both services have a provider, the faster one's copy counts and gets later calls`()
        async throws
    {
        east.offers("M1", "M2")
        west.offers("M1", "M3")
        let providers = try await union.providers(slower: \.east)
        #expect(
            providers.map(\.displayName)
                == ["M2 of https://east.example", "M1 of https://west.example", "M3 of https://west.example"])
        west.knows(Union.profile("M1"))
        east.knows(Union.profile("M1"))
        _ = try await backend.profiles(.provider(Union.m1), caller)
        _ = await ask { try await backend.beginLogin(LoginRequest(provider: Union.m1), caller) }
        _ = try await backend.preauthorize([film], at: Union.m1, caller)
        _ = try await backend.authorize([film], at: Union.m1, caller)
        _ = try await backend.logout(Union.m1, caller)
        #expect(
            west.questions == [
                "profiles NEWS24 M1", "beginLogin NEWS24 M1", "preauthorize film", "authorize film", "logout NEWS24 M1",
            ])
        #expect(east.questions.isEmpty)
        _ = try await backend.authorize([film], at: ProviderID(rawValue: "M2"), caller)
        #expect(east.questions == ["authorize film"])
    }

    @Test func `a provider keeps its service, even if the other service answers first the next time`() async throws {
        east.offers("M1")
        west.offers("M1")
        #expect(try await union.providers(slower: \.east).map(\.displayName) == ["M1 of https://west.example"])
        #expect(try await union.providers(slower: \.west).map(\.displayName) == ["M1 of https://west.example"])
        west.offers("M3")
        let moved = try await union.providers(slower: \.east)
        #expect(moved.map(\.displayName) == ["M1 of https://east.example", "M3 of https://west.example"])
    }

    @Test func `each requestor has its own services for its providers`() async throws {
        east.offers("M1")
        west.offers("M1")
        try await union.providers(slower: \.east)
        var other = caller
        other.requestor = RequestorID(rawValue: "OTHER")
        west.isDown()
        _ = try await backend.authorize([film], at: Union.m1, other)
        #expect(east.questions == ["authorize film"])
        #expect(await ask { try await backend.authorize([film], at: Union.m1, caller) } == .unreachable)
    }

    @Test func `the backend is ready as soon as one service is, without waiting for the other`() async throws {
        east.fake.hold("prepare")
        try await backend.prepare(caller)
        east.fake.release("prepare")
        west.isDown()
        try await backend.prepare(caller)
        east.isDown(.insecure)
        #expect(await ask { try await backend.prepare(caller) } == .insecure, "the fault of the first service")
    }

    @Test func `the list combines the lists of the reachable services`() async throws {
        east.isDown()
        west.offers("M1")
        #expect(try await backend.providers(caller).map(\.id) == [Union.m1])
        west.isDown(.serverError(503))
        #expect(await ask { try await backend.providers(caller) } == .unreachable)
    }

    @Test func `a cancelled caller cancels the requests`() async throws {
        east.fake.hold("providers")
        let providers = Task { try await backend.providers(caller) }
        try await east.fake.calls.wait(for: 1)
        providers.cancel()
        #expect(await ask { try await providers.value } == .cancelled)
        east.fake.release("providers")
    }

    @Test func `the profiles of both services are one list, and calls go to the service of the login`() async throws {
        east.knows(Union.profile("M2", until: 5))
        west.knows(Union.profile("M1", until: 9))
        #expect(try await backend.profiles(.all, caller).map(\.provider.rawValue) == ["M1", "M2"])
        _ = try await backend.authorize([film], at: Union.m1, caller)
        #expect(west.questions == ["profiles NEWS24 all", "authorize film"])
    }

    @Test func `if both services have a login, the login at the provider's own service counts`() async throws {
        east.offers("M1")
        west.offers("M1")
        try await union.providers(slower: \.east)
        east.knows(Union.profile("M1", issuer: "east", until: 99))
        west.knows(Union.profile("M1", issuer: "west"))
        #expect(try await backend.profiles(.all, caller).map(\.issuer) == ["west"])
    }

    @Test func `an unreachable service does not count as a service without a login`() async throws {
        east.isDown()
        #expect(await ask { try await backend.profiles(.all, caller) } == .unreachable)
        #expect(await ask { try await backend.profiles(.provider(Union.m1), caller) } == .unreachable)
        west.knows(Union.profile("M1"))
        #expect(try await backend.profiles(.all, caller).count == 1)
        #expect(try await backend.profiles(.provider(Union.m1), caller).count == 1)
    }

    @Test func `an unknown provider is looked up in the lists, and then tried at each service`() async throws {
        west.offers("M1")
        _ = try await backend.authorize([film], at: Union.m1, caller)
        #expect(east.questions.isEmpty && west.questions == ["authorize film"])
        let stranger = ProviderID(rawValue: "M9")
        let refusal = BackendFault.Kind.refused(
            ServiceError(status: 400, code: "invalid_parameter_mvpd", actionName: "none"))
        east.isDown(refusal)
        #expect(try await backend.authorize([film], at: stranger, caller).count == 1)
        #expect(east.questions == ["authorize film"] && west.questions.count == 2)
        west.isDown()
        #expect(await ask { try await backend.authorize([film], at: stranger, caller) } == .unreachable)
        west.isDown(refusal)
        #expect(await ask { try await backend.authorize([film], at: stranger, caller) } == refusal)
    }

    @Test func `after the deadline no other service is asked`() async throws {
        east.isDown(.deadline)
        #expect(await ask { try await backend.logout(Union.m1, caller) } == .deadline)
        #expect(west.questions.isEmpty)
    }

    @Test func `a login without a provider is polled at the service of its code, and stays there`() async throws {
        east.isDown()
        west.fake.script {
            $0.beginLogin = .success(.showCode(Union.login))
            $0.polls = [.success(.pending), .success(.done(Union.profile("M1")))]
        }
        _ = try await backend.beginLogin(LoginRequest(provider: nil), caller)
        for _ in 0..<2 { _ = try await backend.pollLogin(Union.login, caller) }
        _ = try await backend.authorize([film], at: Union.m1, caller)
        #expect(east.questions == ["beginLogin NEWS24 -"])
        #expect(
            west.questions == ["beginLogin NEWS24 -", "pollLogin K7Q2M4X", "pollLogin K7Q2M4X", "authorize film"])
    }

    @Test func `a code of an earlier run is polled at each service before it counts as gone`() async throws {
        func poll() async throws -> String { "\(try await backend.pollLogin(Union.login, caller))" }
        east.fake.script { $0.polls = [.success(.gone)] }
        #expect(try await poll() == "pending")
        west.fake.script { $0.polls = [.failure(BackendFault(.unreachable))] }
        #expect(await ask { try await poll() } == .unreachable)
        west.fake.script { $0.polls = [.success(.gone)] }
        #expect(try await poll() == "gone")
        west.fake.script { $0.polls = [.success(.done(Union.profile("M1")))] }
        #expect(try await poll().hasPrefix("done"))
    }

    @Test func `an abandoned login is reported to its service, or to all services if its service is unknown`()
        async throws
    {
        await backend.abandonLogin(Union.login, caller)
        #expect(east.questions.count == 1 && west.questions.count == 1)
        east.fake.script { $0.beginLogin = .success(.openURL(Union.login)) }
        _ = try await backend.beginLogin(LoginRequest(provider: nil), caller)
        await backend.abandonLogin(Union.login, caller)
        #expect(east.questions.suffix(1) == ["abandonLogin K7Q2M4X"] && west.questions.count == 1)
    }
}
