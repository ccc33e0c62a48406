// Reads printed output back.

import PassClient
import PassJSON
import PassProtocol
import Testing

/// The object in an output of one line.
func object(_ text: String) throws -> JSONValue {
    try #require(text.hasSuffix("\n"))
    #expect(text.dropLast().contains("\n") == false)
    return try #require(JSONText.read(text))
}

/// The object on the last line.
func lastObject(_ text: String) throws -> JSONValue {
    try object(String(try #require(text.split(separator: "\n").last)) + "\n")
}
