// Fuzzes logins from an older version: their XML, and the dates in it.

@testable import PassVault

func tokens(_ bytes: [UInt8]) {
    let element = within(4096 + bytes.count * 64) { try? TokenText.read(bytes) }
    if let token = try? OldToken(bytes) {
        expect(element != nil, "a token is no text")
        expect(token.parts.allSatisfy { !$0.isEmpty }, "a token lacks a part")
        expect(digest(token.parts)?.utf8.count == 64, "a token has no mark")
    }
    if let date = TokenDate.read(String(decoding: bytes, as: UTF8.self)) {
        // In time zones east of Greenwich, a date can be one day before 1970.
        expect((-86_400_000...253_402_387_200_000).contains(date.milliseconds), "a date is out of all reason")
    }
}
