// Tests which names an instance may have. Units, accounts and directories contain this name. operations.md §3.

import PassProtocol
import Testing

@Suite struct InstanceNameTests {
    @Test(arguments: ["room1", "101", "a", "a-b-", "abcdefghij0123456789"])
    func `a name of small letters, digits and hyphens is accepted`(_ text: String) throws {
        let name = try #require(InstanceName(text))
        #expect(name.text == text)
        #expect(name.account == "passd-\(text)" && name.directory == "passd@\(text)")
    }

    @Test(arguments: [
        "", "-a", ".", "..", "../x", "a/b", "Room", "room_1", "a@b", "a b", "a\n", "a\\x2d", "a:b", "%i", "ä",
        "abcdefghij01234567890", "metrics",
    ])
    func `a name with a special meaning for systemd, a shell or a path is refused`(_ text: String) {
        #expect(InstanceName(text) == nil)
    }
}
