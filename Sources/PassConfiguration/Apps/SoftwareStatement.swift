// The signed text for the registration of an app. passd checks only the form of the text. The service verifies the signature.

package import AccessEnabler
import PassBackend

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
        /// Whether the daemon would find the same fault. False if a check in a shell does not find a credential, because the
        /// service manager may pass this credential to the daemon.
        let isCertain: Bool

        init(_ description: String, isCertain: Bool = true) {
            self.description = description
            self.isCertain = isCertain
        }
    }

    static let maxBytes = 64 << 10

    package let text: Secret

    package var claims: StatementClaims { StatementClaims(text) }

    /// Reads a statement: three parts of base64url, separated by dots. White space is ignored.
    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.maxBytes else { throw Fault("is larger than \(Self.maxBytes) bytes") }
        text = StatementForm.normal(Secret(String(decoding: bytes, as: UTF8.self)))
        guard !text.reveal().isEmpty else { throw Fault("is empty") }
        guard StatementForm.isWellFormed(text) else {
            throw Fault("is not a software statement (three parts in base64url, separated by dots)")
        }
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.matches(right.text) }
}

extension ValueType where Value == SoftwareStatement.Source {
    static var statement: ValueType {
        ValueType("file:PATH with an absolute path, or credential:NAME") { text in
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
