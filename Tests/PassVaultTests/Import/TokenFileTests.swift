// Tests valid and invalid files of version 1.6. An invalid file is skipped, with a reason that reveals none of its
// values.

import AccessEnabler
import Testing

@testable import PassVault

@Suite("access-enabler.md §9.1: the XML of an authentication token") struct TokenFileTests {
    private static let good: [(name: String, text: String)] = [
        ("as the overview prints it", OldFile.token()),
        ("in one line", OldFile.token().split(separator: "\n").joined()),
        ("with line ends of another system", OldFile.token().split(separator: "\n").joined(separator: "\r\n")),
        ("with an XML declaration", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + OldFile.token()),
        ("with a mark of its encoding", "\u{FEFF}" + OldFile.token()),
        (
            "with comments",
            "<!-- <a> & -->" + OldFile.token().replacing("</simpleTokenM", with: "<!-- x --></simpleTokenM")
        ),
        ("with blanks in end tags", OldFile.token().replacing("</simpleTokenMsoID>", with: "</simpleTokenMsoID\n >")),
        (
            "with more than is known",
            OldFile.token().replacing("<simpleTokenMsoID>", with: "<later><x/></later><simpleTokenMsoID>")
        ),
        ("without a signature's text", OldFile.token().replacing("TWFkZSBieSBoYW5k", with: "")),
    ]

    @Test(arguments: good.indices) func `a valid file gives a token`(index: Int) throws {
        let token = try OldToken(Array(Self.good[index].text.utf8))
        #expect(
            token.parts == [
                "0D1C5E7A-9B3F-4C21-8E64-A1B2C3D4E5F6", "NEWS24", "service.example", "1933143630000", "Cablevista",
                "0d1ce",
            ], "\(Self.good[index].name)")
    }

    @Test func `the five predefined entities are decoded once`() throws {
        let token = try OldToken(Array(OldFile.token(provider: "&lt;A&amp;B&gt; &quot;&apos;&amp;lt;").utf8))
        #expect(token.provider == "<A&B> \"'&lt;")
    }

    private static let bad: [(text: String, reason: String)] = [
        ("", "<signatureInfo> is missing"), ("\0", "control"), ("no XML", "<signatureInfo> is missing"),
        ("{\"a\": 1}", "<signatureInfo> is missing"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]>" + OldFile.token(), "declaration"),
        ("<?php ?>" + OldFile.token(), "declaration"),
        (OldFile.token(provider: "<![CDATA[x]]>"), "declaration"),
        (OldFile.token(provider: "&nbsp;"), "entity"), (OldFile.token(provider: "&#65;"), "entity"),
        (OldFile.token(provider: "a & b"), "entity"), (OldFile.token(provider: "&amp"), "entity"),
        (OldFile.token(provider: "a < b"), "a tag has no name"),
        (OldFile.token(provider: ""), "<simpleTokenMsoID> has no value"),
        (OldFile.token(provider: " \n "), "<simpleTokenMsoID> has no value"),
        (OldFile.token(provider: "a\nb"), "<simpleTokenMsoID> has no value"),
        (OldFile.token(provider: "<b>x</b>"), "<simpleTokenMsoID> has no value"),
        (OldFile.token(provider: String(repeating: "x", count: 1025)), "<simpleTokenMsoID> has no value"),
        (OldFile.token(provider: "a\u{7F}b"), "control"), (OldFile.token(provider: "a\u{1B}b"), "control"),
        (OldFile.token(expires: "tomorrow"), "<simpleTokenExpires> does not contain a date"),
        (OldFile.token().replacing("simpleTokenFingerprint", with: "finger"), "<simpleTokenFingerprint> is missing"),
        (OldFile.token().replacing("simpleTokenDeviceID", with: "device"), "<simpleTokenDeviceID> is missing"),
        (OldFile.token().replacing("simpleAuthenticationToken", with: "simpleAuthorizationToken"), "is missing"),
        (OldFile.token().replacing("</signatureInfo>", with: "<signatureInfo>"), "is not closed"),
        (OldFile.token().replacing("</simpleTokenMsoID>", with: ""), "does not close any tag"),
        (OldFile.token().replacing("</simpleTokenMsoID>", with: "</simpleTokenMsoId>"), "does not close any tag"),
        (OldFile.token() + "</x>", "</x> does not close any tag"), (OldFile.token() + "<x>", "<x> is not closed"),
        (OldFile.token() + "<x/>", "more than one token"), (OldFile.token() + "x", "more than one token"),
        (OldFile.token() + OldFile.token(), "<signatureInfo> occurs twice"),
        (
            OldFile.token().replacing(
                "<simpleTokenMsoID>", with: "<simpleTokenMsoID>A</simpleTokenMsoID><simpleTokenMsoID>"),
            "<simpleTokenMsoID> occurs twice"
        ),
        (OldFile.token().replacing("<simpleTokenMsoID>", with: "<simpleTokenMsoID a=\"b\">"), "not a plain tag"),
        (OldFile.token() + "<!-- x", "a comment is not closed"),
        ("<?xml " + OldFile.token(), "declaration is not closed"),
        (String(repeating: "<a>", count: 9), "nested too deeply"), ("<" + String(repeating: "a", count: 65), "no name"),
    ]

    @Test(arguments: bad.indices) func `an invalid file gives no token, but a reason`(index: Int) {
        let (text, reason) = Self.bad[index]
        let fault = #expect(throws: TokenFault.self) { try OldToken(Array(text.utf8)) }
        #expect(fault?.explanation.contains(reason) == true, "\(fault?.explanation ?? "")")
        #expect(fault?.explanation.contains("71C69B91") != true)
    }

    @Test func `bytes that are not UTF-8 give no token`() {
        var bytes = Array(OldFile.token().utf8)
        bytes[20] = 0xFF
        #expect(throws: TokenFault("it is not UTF-8")) { try OldToken(bytes) }
    }

    @Test func `a truncated file gives no token, or the same as the whole file`() throws {
        let bytes = Array(OldFile.token().split(separator: "\n").joined().utf8)
        for count in 0..<bytes.count { #expect(throws: TokenFault.self) { try OldToken(Array(bytes.prefix(count))) } }
    }

    /// The positions are drawn from a fixed seed.
    @Test(arguments: 0..<200) func `damaged bytes affect only their own file`(seed: Int) {
        var bytes = Array(OldFile.token().utf8)
        var random = Seeded(state: UInt64(seed) &+ 1)
        for _ in 0...seed % 4 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() % 256) }
        _ = try? OldToken(bytes)
    }
}
