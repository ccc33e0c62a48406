// Tests Base64 with the vectors of RFC 4648, and compares it with Foundation.

import FoundationEssentials
import Testing

@testable import PassJSON

@Suite("RFC 4648 §4, §5: Base64") struct Base64Tests {
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"),
        ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("???>>>", "Pz8/Pj4+", "Pz8_Pj4-"),
    ]) func `texts are written and read back in both alphabets`(text: String, plain: String, url: String) {
        #expect(text.utf8.base64 == plain)
        #expect(text.utf8.base64URL == url)
        #expect(Base64.decoded(Array(plain.utf8)) == Array(text.utf8))
        #expect(Base64.decodedURL(Array(url.utf8)) == Array(text.utf8))
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Z===", "====", "=", "==", "Zg==Zg==", "Zm8=Zm8=", "Zm9v\n", " Zm9v", "Zm 9", "Pz8_", "Pz8-",
        "Zm9é", "Zm9v=", "Z=g=", "Zm=v", "\0AAA", "AA=A", "AAAAAA=A",
    ]) func `text that is not Base64 is refused`(text: String) {
        #expect(Base64.decoded(Array(text.utf8)) == nil)
    }

    @Test(arguments: ["Z", "Zm9vY", "Zg==", "Zm8=", "Pz8/", "Pz8+", "Zm9v\n", "Zm.v", "Zm9é"])
    func `text that is not base64url without padding is refused`(text: String) {
        #expect(Base64.decodedURL(Array(text.utf8)) == nil)
    }

    @Test func `bits behind the last byte are ignored`() {
        #expect(Base64.decoded(Array("Zh==".utf8)) == Array("f".utf8))
        #expect(Base64.decodedURL(Array("Zm9".utf8)) == Array("fo".utf8))
    }

    @Test func `random bytes and damaged texts give the same results as in Foundation`() {
        var random = SystemRandomNumberGenerator()
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(bytes.base64 == Data(bytes).base64EncodedString())
            var text = Array(bytes.base64.utf8)
            if let place = text.indices.randomElement() { text[place] = "A=+/_\n".utf8.randomElement() ?? 0 }
            let expected = Data(base64Encoded: Data(text)).map { Array($0) }
            // Foundation accepts some texts with padding in the middle.
            let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            if text.dropLast(padding).contains(UInt8(ascii: "=")) {
                #expect(Base64.decoded(text) == nil)
                continue
            }
            #expect(Base64.decoded(text) == expected, "\(String(decoding: text, as: UTF8.self))")
        }
    }
}
