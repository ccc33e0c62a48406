// What was printed, read back.

import PassClient
import PassJSON
import PassProtocol
import Testing

/// The only object on the only line.
func object(_ text: String) throws -> JSONValue {
    try #require(text.hasSuffix("\n"))
    #expect(text.dropLast().contains("\n") == false)
    return try #require(JSONText.read(text))
}
