// Tests the statements by registration, which are used while no app is connected.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct StatementBookTests {
    private let book = StatementBook()
    private let backend = FakeBackend()

    private func key(_ app: String) -> RegistrationKey {
        backend.registration(of: AppID(rawValue: app), statement: Secret(Sample.statement))
    }

    private func holds(_ app: String) -> Bool { book.statement(of: key(app))?.reveal() == Sample.statement }

    @Test func `every app with a statement is found by its registration`() {
        book.fill([.sample("news24"), .sample("sport")], backend)
        #expect(holds("news24"))
        #expect(holds("sport"))
        #expect(!holds("other"))
    }

    @Test func `an app without a usable statement is not found`() {
        book.fill([.sample("news24", [], .absent), .sample("sport", [], .unusable(reason: "is empty"))], backend)
        #expect(!holds("news24"))
        #expect(!holds("sport"))
    }

    @Test func `a reload replaces all statements and keeps the backend`() {
        book.fill([.sample("news24")], backend)
        book.fill([.sample("sport")])
        #expect(!holds("news24"))
        #expect(holds("sport"))
    }

    @Test func `before the backend exists no statement is found, and no call fails`() {
        book.fill([.sample("news24")])
        #expect(!holds("news24"))
    }
}
