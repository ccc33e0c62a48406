// Tests that no app can fill the box with statements, or repeat a statement that the service has just refused.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("dcr.md §2, §5, §7: the limit of registrations of an app") struct RegistrationBoundTests {
    private static let maximum = RegistrationBook.maxOfOneApp
    private static let tooMany = BackendFault.Kind.registrationRefused("too_many_registrations")

    /// A well-formed statement. Each number makes another registration.
    private static func statement(_ number: Int) -> String { "a.b." + String(repeating: "c", count: number + 1) }

    private func prepare(_ box: Box, _ number: Int, app: String = "tv.app") async throws -> BackendFault.Kind? {
        let caller = box.caller(app: app, statement: Self.statement(number))
        return try await box.fault { try await box.backend.prepare(caller) }
    }

    @Test func `statements in an invalid form leave no data behind`() async throws {
        let box = try Box()
        for number in 0..<200 {
            let junk = box.caller(statement: String(repeating: "x", count: number))
            #expect(
                try await box.fault { try await box.backend.prepare(junk) }
                    == .registrationRefused("invalid_software_statement"))
        }
        #expect(box.backend.parts.registrar.count == 0)
        #expect(box.service.requests.isEmpty)
    }

    @Test(arguments: [
        ScriptedService.Reply.fault(.dns), .fault(.tls(.expired)), .answer(500, ""), .answer(201, "<html>"),
        .answer(404, ""),
    ]) func `a failed registration leaves no data behind`(reply: ScriptedService.Reply) async throws {
        let box = try Box { _, _ in reply }
        #expect(try await prepare(box, 0) != nil)
        #expect(box.backend.parts.registrar.count == 0)
        box.service.follow { _, _ in nil }
        #expect(try await prepare(box, 0) == nil)
        #expect(box.backend.parts.registrar.count == 1)
    }

    @Test func `a refused statement is not sent again for some time`() async throws {
        let box = try Box { _, _ in .answer(400, #"{"error": "unapproved_software_statement"}"#) }
        for _ in 0..<50 {
            #expect(try await prepare(box, 0) == .registrationRefused("unapproved_software_statement"))
        }
        #expect(box.service.registrations == 1)
        box.service.follow { _, _ in nil }
        box.clock.advance(by: RegistrationBook.memoryOfRefusals)
        #expect(try await prepare(box, 0) == nil)
        #expect(box.service.registrations == 2)
    }

    @Test func `after several refused statements, the box refuses further statements itself`() async throws {
        let box = try Box { _, _ in .answer(400, #"{"error": "invalid_software_statement"}"#) }
        for number in 0..<100 {
            let expected =
                number < Self.maximum
                ? BackendFault.Kind.registrationRefused("invalid_software_statement") : Self.tooMany
            #expect(try await prepare(box, number) == expected)
        }
        #expect(box.service.registrations == Self.maximum)
        #expect(box.backend.parts.registrar.count == Self.maximum)
        box.service.follow { _, _ in nil }
        #expect(try await prepare(box, 0, app: "another") == nil, "one app's refusals do not affect another app")
        box.clock.advance(by: RegistrationBook.memoryOfRefusals)
        #expect(try await prepare(box, 101) == nil)
    }

    @Test func `an app has no more registrations than the limit, and its earlier registrations stay valid`()
        async throws
    {
        let box = try Box()
        for number in 0..<40 { #expect(try await prepare(box, number) == (number < Self.maximum ? nil : Self.tooMany)) }
        #expect(box.service.registrations == Self.maximum)
        #expect(box.vault.registrations.count == Self.maximum)
        #expect(try await prepare(box, 3) == nil)
        #expect(try await prepare(box, 40, app: "another") == nil)
    }

    @Test func `pending registrations count too`() async throws {
        let box = try Box { request, _ in request.url.path == ScriptedService.registration ? .held : nil }
        let callers = (0..<Self.maximum).map { box.caller(statement: Self.statement($0)) }
        let tasks = callers.map { caller in Task { try await box.backend.prepare(caller) } }
        await eventually { box.service.heldCount == Self.maximum }
        #expect(try await prepare(box, Self.maximum) == Self.tooMany)
        box.service.release(.answer(503, ""))
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: BackendFault.self) { try await task.value } }
    }

    @Test func `an app with years of updates is never locked out`() async throws {
        var box = try Box()
        for version in 0..<(Self.maximum + 4) {
            #expect(try await prepare(box, version) == nil)
            box.clock.advance(by: .seconds(90 * 86400))
            if version.isMultiple(of: 3) { box = try box.restarted() }
        }
        #expect(box.vault.registrations.count == Self.maximum)
        #expect(
            Set(box.vault.registrations.keys.map(\.statement))
                == Set(
                    (4..<(Self.maximum + 4)).map { box.caller(statement: Self.statement($0)).registration.statement }),
            "the latest ones are kept")
    }

    @Test func `the numbers of removed registrations are not reused`() {
        let key = RegistrationKey(app: AppID(rawValue: "a"), statement: "s", origin: "o", interface: "v2")
        let now = BootTime(nanoseconds: 1)
        var book = RegistrationBook([
            key: StoredRegistration(clientID: "old", clientSecret: Secret("x"), accessToken: Secret("t"))
        ])
        let old = book[key]?.client?.number ?? 0
        #expect(book.begin(key, at: now) == nil)
        #expect(book.change(key) { $0.discardClient(old, at: now) } == true)
        book.change(key) { $0.forgetRefused() }
        book.end(key)
        #expect(book.count == 0)
        #expect(book.begin(key, at: now) == nil)
        #expect((book[key]?.numbers ?? 0) >= old)
    }
}
