// Helpers for tests of races. They log in, and check that nothing more happens.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools

@testable import AccessEnabler

extension Stage {
    /// Runs all ready work on the engine, to show that nothing more happens.
    func rest() async {
        for _ in 0..<200 { await Task.yield() }
    }

    /// Connects under another app's grant, so that both share a login.
    func twin(_ name: String, of app: String, _ requestor: String) async throws -> Session {
        let session = connect(name)
        _ = try await session.setRequestor(.init(requestorID: requestor), Self.grant(app))
        return session
    }

    /// Opens a login that shows a code.
    func open(_ app: Session, _ provider: String = "M1") async throws {
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: provider))
    }

    /// Logs in by code. `name` is the app's name.
    func logIn(_ app: Session, _ name: String, _ profile: Profile = Sample.profile()) async throws {
        let mark = mark
        try await open(app, profile.provider.rawValue)
        backend.script { $0.polls = [.success(.done(profile))] }
        try await poll(app.conversation.openLogin?.code.rawValue ?? "none")
        try await hear("\(name) ← setAuthenticationStatus 1 ", since: mark)
    }

    /// Waits until the vault was asked to write more than `count` times.
    func writing(after count: Int) async throws { try await vault.attempts.wait(for: count + 1) }

    /// Waits until the engine's memory meets the condition, while the vault is slow.
    func until(_ holds: @Sendable (VaultContents) -> Bool) async throws {
        await eventually { @EngineActor in holds(engine.memory.contents) }
    }

    func has(_ prefix: String, since mark: Int) -> Bool { lines(since: mark).contains { $0.hasPrefix(prefix) } }
}

extension Task where Failure == any Error {
    /// The answer of a call. Throws if the answer does not come in time.
    var answer: Success {
        get async throws {
            let over = Recorder<Bool>()
            Task<Void, Never> {
                _ = await result
                over.append(true)
            }
            try await over.wait(for: 1)
            return try await value
        }
    }
}

extension Session {
    /// Whether the engine has a login for the session. Causes no callbacks.
    var isIn: Bool { asker.flatMap(login(for:)) != nil }
    /// The provider that the session shows as selected.
    var provider: String? { asker.flatMap(selection(for:))?.provider.id.rawValue }
}

extension Sample {
    static let alpen = ProviderID(rawValue: "M2")

    /// Another viewer at the same television.
    static var other: Profile {
        var profile = profile()
        profile.attributes["userID"] = .init(value: .string("u2"), isEncrypted: false)
        return profile
    }

    /// The service's answer that the viewer is no longer logged in.
    static func noLogin(_ resource: ResourceID) -> ServiceDecision {
        .init(
            resource: resource, isAuthorized: false, source: .mvpd,
            error: ServiceError(status: 403, code: "authenticated_profile_missing", actionName: "authentication"))
    }
}

extension FakeBackend.Script {
    /// Each of the two providers has a code of its own.
    mutating func offersTwoLogins() {
        offersLogin()
        beginLoginAt[Sample.north] = .success(.showCode(Sample.login("K1AAAAA", Sample.north)))
        beginLoginAt[Sample.alpen] = .success(.showCode(Sample.login("K2BBBBB", Sample.alpen)))
    }
}
