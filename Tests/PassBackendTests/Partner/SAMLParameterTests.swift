// Tests the clean-up of the platform's answer. The answer is signed, so the clean-up must change nothing else.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v1.md §10.2, open-questions.md OQ-51: the SAMLResponse parameter") struct SAMLParameterTests {
    @Test(arguments: [
        ("", ""), ("<r/>", "<r/>"), (" \t \r\n <r/> \n\t ", "<r/>"),
        // Runs of blanks and tabs become one blank.
        ("<r  a=\"1\"\t\tb=\"2\" \t c=\"3\"/>", "<r a=\"1\" b=\"2\" c=\"3\"/>"), ("a\tb", "a b"), ("a b", "a b"),
        // Line breaks in text are removed without a replacement, even if that joins words.
        ("<r\na=\"1\"\r\nb=\"2\"/>", "<ra=\"1\"b=\"2\"/>"), ("a\n\nb\rc", "abc"), ("one\ntwo", "onetwo"),
        // Blanks are handled first. The blanks before and after a line break are two runs.
        ("a \n b", "a  b"), ("a\t\n\tb", "a  b"), ("a\n b", "a b"),
        // All other characters stay.
        ("Zoë  東京 – \u{00A0}\u{2003}é", "Zoë 東京 – \u{00A0}\u{2003}é"), ("e\u{301}", "e\u{301}"),
        ("&#10;&lt;  %20+=", "&#10;&lt; %20+="), ("a\u{0B}b\u{2028}c\u{0}d", "a\u{0B}b\u{2028}c\u{0}d"),
        ("\u{1F3E0}\u{200D}", "\u{1F3E0}\u{200D}"),
    ]) func `runs of blanks become one blank, line breaks are removed, the ends are trimmed`(
        text: String, cleaned: String
    ) throws {
        let parameter = SAMLParameter.encoded(Secret(text)).reveal()
        let found = try #require(PartnerSample.text(parameter))
        #expect(Array(found.utf8) == Array(cleaned.utf8), "\(found)")
        #expect(!parameter.contains { $0.isWhitespace })
    }

    @Test func `a clean text stays unchanged, and a second clean-up changes nothing`() throws {
        let clean = #"<samlp:Response ID="_1"><ds:SignatureValue>bm8=</ds:SignatureValue></samlp:Response>"#
        let once = try #require(PartnerSample.text(SAMLParameter.encoded(Secret(clean)).reveal()))
        #expect(once == clean)
        #expect(PartnerSample.text(SAMLParameter.encoded(Secret(once)).reveal()) == clean)
    }

    @Test func `Base64 has its padding and is one line, even for a long answer`() throws {
        for count in [1, 2, 3, 58, 4096] {
            let text = String(repeating: "ü", count: count)
            let parameter = SAMLParameter.encoded(Secret(text)).reveal()
            #expect(parameter.utf8.count % 4 == 0)
            #expect(PartnerSample.text(parameter) == text)
        }
    }
}
