// Tests that secrets are not printed by accident.

import Testing

@testable import AccessEnabler

@Suite("architecture §5.6: secrets are a type") struct SecretTests {
    @Test func `no way of printing a secret shows its text`() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(secret.reveal() == "hunter2")
    }

    @Test(arguments: [("a", "a", true), ("a", "b", false), ("", "", true), ("", "a", false), ("ab", "a", false)])
    func `two secrets match if their texts are equal`(one: String, two: String, same: Bool) {
        #expect(Secret(one).matches(Secret(two)) == same)
    }
}
