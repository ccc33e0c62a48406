// Tests which tokens are accepted for sign-on, and how long they are used.

import AccessEnabler
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("rest-v2.md §3.6, §3.7: tokens for sign-on") struct SignOnTokenTests {
    private let now = TokenSample.now

    private func read(_ text: String) throws(SignOnToken.Fault) -> SignOnToken {
        try SignOnToken(Array(text.utf8), at: now)
    }

    @Test func `white space around and inside the token is ignored`() throws {
        let text = TokenSample.token(lasting: .seconds(600))
        let half = text.index(text.startIndex, offsetBy: 20)
        for spelling in [text, text + "\n", "  \(text)\r\n", text[..<half] + "\n" + text[half...]] {
            #expect(try read(String(spelling)).text.reveal() == text)
        }
    }

    @Test(arguments: [
        "", "\n", "token", "a.b.c", "could not log in.", "{\"token\": \"x\"}", "\u{0}", "é.é.é",
        TokenSample.part("{}") + "..x", TokenSample.part("{}") + "." + TokenSample.part("text") + ".x",
        TokenSample.part("{}") + "." + TokenSample.part("{}") + ".", TokenSample.part("[]") + ".e30.x",
        TokenSample.part("{}") + ".e30.x.y", TokenSample.part("{}") + "." + TokenSample.part(#"{"exp":"soon"}"#) + ".x",
        "e30=.e30.x",
    ]) func `any other text is not a token`(text: String) {
        #expect(throws: SignOnToken.Fault.noToken) { try read(text) }
    }

    @Test func `the token ends at its expiry, and is not used in its last moments`() throws {
        let token = try read(TokenSample.token(lasting: .seconds(600)))
        #expect(token.isGood(at: now) && token.isGood(at: now.advanced(by: .seconds(589))))
        #expect(!token.isGood(at: now.advanced(by: .seconds(590))))
        #expect(token.ages == now.advanced(by: .seconds(480)))
        let short = try read(TokenSample.token(lasting: .seconds(10)))
        #expect(short.ends == now.advanced(by: .seconds(9)))
    }

    @Test func `an expired token is read, but not valid`() throws {
        for life in [Duration.zero, .seconds(-1), .seconds(-1_000_000)] {
            #expect(try !read(TokenSample.token(lasting: life)).isGood(at: now))
        }
    }

    @Test(arguments: ["1e300", "99999999999999999", "1795564800000"])
    func `a distant expiry is accepted`(exp: String) throws {
        let token = try read([#"{}"#, #"{"exp":\#(exp)}"#, "x"].map(TokenSample.part).joined(separator: "."))
        #expect(token.isGood(at: now.advanced(by: .seconds(1_000_000_000))))
    }

    @Test func `a token with unknown expiry is valid for now: either without exp, or readable only by the service`()
        throws
    {
        #expect(try read(TokenSample.token(lasting: nil)).ends == nil)
        #expect(try read(TokenSample.part(#"{"alg":"dir"}"#) + "..aXY.Y2lwaGVy.dGFn").ends == nil)
    }
}
