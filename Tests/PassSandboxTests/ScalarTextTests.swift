// Tests signs followed by a combining mark or a variation selector. Swift joins both into another character, but the
// sign must still be found.

import Testing

@testable import PassSandbox

@Suite("Texts from outside are read by unicode scalars")
struct ScalarTextTests {
    static let marks = ["\u{5AD}", "\u{301}", "\u{FE0F}", "\u{200D}"]

    @Test(arguments: marks)
    func `text escaped for XML is read unchanged`(_ mark: String) {
        for sign in ["<", ">", "&", "\"", "'", "&lt;", "&amp;lt;", "é", "e\u{301}"] {
            for text in [sign + mark, mark + sign + mark, "<rss><chann>li<\(mark)tle><![CDATA]q"] {
                #expect(Array(unescapedXML(escapedXML(text)).utf8) == Array(text.utf8))
            }
        }
    }

    @Test(arguments: marks)
    func `the fields of a token keep their ends, with any mark at the beginning or end`(_ mark: String) throws {
        let key = RSAKey(random: SeededRandom(number: 1))
        let token = MediaToken(
            guid: "1", session: mark, requestor: "a" + mark, resource: mark + "<\(mark)b>\(mark)", lifetime: 1,
            issued: 2,
            mvpd: "x", proxy: "")
        let read = try MediaToken.read(token.serialized(signedBy: key), key: key.publicKey).get()
        #expect(Array(read.resource.utf8) == Array(token.resource.utf8))
        #expect((read.session, read.requestor) == (token.session, token.requestor))
    }

    @Test(arguments: marks)
    func `a channel's title is found between its tags`(_ mark: String) {
        let row = "<rss>\(mark)<channel>\(mark)<title>\(mark)one\(mark)</title>\(mark)</channel></rss>"
        #expect(RequestedResource(row)?.id == "\(mark)one\(mark)")
        #expect(RequestedResource(" " + mark)?.id == mark)
    }

    @Test(arguments: marks)
    func `the parts of headers are found`(_ mark: String) {
        let request = Request(
            method: "GET", path: "/",
            headers: [
                Field("Content-Type", "text/html;\(mark)q"),
                Field("X-Forwarded-For", "10.0.0.1,\(mark)10.0.0.2"),
            ])
        #expect(request.contentType == "text/html")
        #expect(request.address == "10.0.0.1")
    }

    @Test func `texts are split at signs, and only blanks are trimmed`() {
        #expect("a,,b".parts(between: ",") == ["a", "", "b"] && "".parts(between: ",") == [""])
        #expect("a=b=c".parts(between: "=", maxParts: 2) == ["a", "b=c"])
        #expect("a\u{37E}b".parts(between: ";").count == 1, "a Greek question mark is not a semicolon")
        #expect(" \u{301}a \r\n".trimmed == "\u{301}a" && " ".trimmed.isEmpty && "".trimmed.isEmpty)
        #expect("abc".ends(with: "bc") && !"abc".ends(with: "abcd"))
    }
}
