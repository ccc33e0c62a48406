// Tests that names are equal only if their bytes are equal.

import Testing

@testable import AccessEnabler

@Suite struct IdentifierTests {
    /// Swift considers these strings equal, but their bytes differ.
    static let lookalikes = [("caf\u{E9}", "cafe\u{301}"), ("KANAL", "\u{212A}ANAL"), ("a;b", "a\u{37E}b")]

    private func differ<Name: Identifier>(_ one: Name, _ other: Name) -> Bool {
        one != other && !(one == other) && Set([one, other]).count == 2 && [one: 1, other: 2][one] == 1
            && (one < other) != (other < one)
    }

    @Test(arguments: lookalikes)
    func `two spellings are two names, as in the service and the store`(_ one: String, _ other: String) {
        #expect(one == other)
        #expect(differ(ResourceID(rawValue: one), ResourceID(rawValue: other)))
        #expect(differ(ProviderID(rawValue: one), ProviderID(rawValue: other)))
        #expect(differ(RequestorID(rawValue: one), RequestorID(rawValue: other)))
        #expect(differ(RegistrationCode(rawValue: one), RegistrationCode(rawValue: other)))
        #expect(ResourceID(rawValue: one) == ResourceID(rawValue: one))
        #expect(ResourceID(rawValue: one).hashValue == ResourceID(rawValue: one).hashValue)
    }
}
