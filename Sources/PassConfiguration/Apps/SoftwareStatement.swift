// What an app shows the service to be registered. Here it is only looked at from outside: the service verifies it.

import AccessEnabler

package struct SoftwareStatement: Equatable, Sendable {
    package enum Source: Equatable, Sendable, CustomStringConvertible {
        case file(String)
        case credential(String)

        package var description: String {
            switch self {
            case .file(let path): "file:\(path)"
            case .credential(let name): "credential:\(name)"
            }
        }
    }

    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    static let mostBytes = 64 << 10

    package let text: Secret

    /// Three parts of base64url with dots between them; line breaks of the file do not count.
    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.mostBytes else { throw Fault("is larger than \(Self.mostBytes) bytes") }
        let text = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard !text.isEmpty else { throw Fault("is empty") }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ part in
                !part.isEmpty && part.allSatisfy { Paths.isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x5F }
            })
        else { throw Fault("is not a software statement (three parts in base64url, separated by dots)") }
        self.text = Secret(String(decoding: text, as: UTF8.self))
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.matches(right.text) }
}

extension ValueType where Value == SoftwareStatement.Source {
    static var statement: ValueType {
        ValueType("file:PATH, with an absolute path, or credential:NAME") { text in
            if let path = Paths.path(text, after: "file") { return .file(path) }
            guard text.hasPrefix("credential:") else { return nil }
            let name = String(text.dropFirst("credential:".count))
            let isName =
                (1...255).contains(name.utf8.count) && name != "." && name != ".."
                && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F && $0 != 0x3A }
            return isName ? .credential(name) : nil
        }
    }
}
