// Tests delimiters followed by a combining mark. To Swift they are other characters, but to other programs they are the
// same delimiter.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite struct MarkTests {
    static let marks = ["\u{301}", "\u{5AD}", "\u{FE0F}"]

    @Test(arguments: marks) func `a page with a query gets no second query`(_ mark: String) {
        let page = LoginSite.page("https://a.test/x?\(mark)", RegistrationCode(rawValue: "C"))
        #expect(page == "https://a.test/x?\(mark)&code=C")
    }

    @Test(arguments: marks) func `an address with a mark is still an address`(_ mark: String) {
        #expect(throws: BackendFault.self) { try TemporaryIdentity(["mail": "ada@\(mark)a.test"]) }
        #expect(throws: BackendFault.self) { try TemporaryIdentity(["ada@\(mark)": "x"]) }
    }

    @Test(arguments: marks) func `a header's name ends at the colon`(_ mark: String) {
        var reception = Reception(bodyLimit: 1024)
        for line in ["HTTP/1.1 200 OK\r\n", "X-One:\(mark)1\r\n", "X-Two: 2\(mark)\r\n"] {
            let isTaken = Array(line.utf8).withUnsafeBytes { reception.takeHeader($0) }
            #expect(isTaken)
        }
        #expect(reception.headers["X-One"] == mark + "1")
        #expect(reception.headers["X-Two"] == "2" + mark)
    }

    @Test(arguments: marks) func `a text that begins with a mark is not trimmed`(_ mark: String) {
        let resource = ResourceID(rawValue: mark + "a")
        func permits(_ name: String) -> [Bool] {
            let item = ServiceDecision(resource: ResourceID(rawValue: name), isAuthorized: true, source: .mvpd)
            return [item].echoing([resource]).map(\.isAuthorized)
        }
        #expect(permits(" \(mark)a") == [true])
        #expect(permits(" a") == [false])
    }
}
