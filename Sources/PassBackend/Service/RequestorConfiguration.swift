// The configuration of a requestor at the service. Contract: rest-v2.md C1, S1; rest-v1.md §6.3.

import AccessEnabler

struct RequestorConfiguration: Sendable {
    var providers: [Provider]
    /// The first domain that is registered for logins, if it has the form of a host name.
    var domain: String?

    init(_ providers: [Provider], domains: [String] = []) {
        self.providers = providers
        domain = domains.first(where: Self.isHostName)
    }

    private static func isHostName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                            || byte == 0x2D
                    }
            }
    }
}

/// A registered domain in an answer: an object with a name, or the name alone.
struct DomainAnswer: Decodable, Sendable {
    private struct Named: Decodable { var name: String }

    let name: String

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            name = text
        } else {
            name = try Named(from: decoder).name
        }
    }
}
