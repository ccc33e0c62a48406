// One alternative of `allow`, which says who may be an app. All of its conditions must hold. operations.md §2.

import PassJSON
import PassProtocol

package struct AllowRule: Equatable, Sendable {
    package enum Condition: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
        case unit(String)
        case executable(String)
        /// The account does not exist, so the condition never holds.
        case nobody
    }

    /// The text of the file, such as `user:kodi+executable:/usr/bin/kodi`.
    package let text: String
    package let conditions: [Condition]

    /// The paths of the programs that it names.
    var programs: [String] {
        conditions.compactMap { if case .executable(let path) = $0 { path } else { nil } }
    }

    /// Whether the rule has no condition but the program. That does not identify a user: whoever may start the program
    /// may also connect first and then start it.
    var isProgramAlone: Bool {
        !conditions.isEmpty
            && conditions.allSatisfy { if case .executable = $0 { true } else { false } }
    }
}

extension AllowRule {
    struct Reading {
        let rule: AllowRule
        /// Accounts that do not exist, such as "user kodi".
        var missing: [String] = []
    }

    static func read(_ text: String, _ resources: StanzaResources) throws(ValueFault) -> Reading {
        var conditions: [Condition] = []
        var missing: [String] = []
        for part in parts(of: text) {
            let condition = try condition(part, resources)
            if condition == .nobody { missing.append(part.split(separator: ":").joined(separator: " ")) }
            conditions.append(condition)
        }
        return Reading(rule: AllowRule(text: text, conditions: conditions), missing: missing)
    }

    /// A `+` is part of a name, as in `/usr/bin/g++`, unless the text after it begins another condition.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        for piece in text.unicodeScalars.split(separator: "+", omittingEmptySubsequences: false).map({ String($0) }) {
            if parts.isEmpty || kinds.contains(where: { piece.begins(with: $0 + ":") }) {
                parts.append(piece)
            } else {
                parts[parts.count - 1] += "+" + piece
            }
        }
        return parts
    }

    private static let kinds = ["user", "group", "unit", "executable"]

    private static func condition(_ part: String, _ resources: StanzaResources) throws(ValueFault) -> Condition {
        guard let (kind, value) = part.parted(at: ":") else { throw fault }
        switch kind {
        case "user": return try account(value, resources.user).map(Condition.user) ?? .nobody
        case "group": return try account(value, resources.group).map(Condition.group) ?? .nobody
        case "unit":
            guard (value.hasSuffix(".service") || value.hasSuffix(".scope")) && !value.utf8.contains(UInt8(ascii: "/"))
            else {
                throw ValueFault("expected the full name of a unit, such as unit:news24.service")
            }
            return .unit(value)
        case "executable":
            guard Paths.isAbsolute(value) else { throw ValueFault("expected executable:PATH with an absolute path") }
            return .executable(value)
        default:
            let nearest = Spelling.nearest(to: kind, among: kinds).map { "; nearest: \($0):" } ?? ""
            throw ValueFault(fault.description + nearest)
        }
    }

    private static let fault = ValueFault(
        "expected user:NAME, group:NAME, unit:NAME or executable:PATH, joined by +; separate alternatives by spaces")

    private static func account(_ name: String, _ find: (String) -> UInt32?) throws(ValueFault) -> UInt32? {
        guard !name.isEmpty, !name.utf8.contains(where: { ",+:/".utf8.contains($0) }) else { throw fault }
        if name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // The highest number means nobody in particular to the kernel.
            guard let number = UInt32(name), number != .max else {
                throw ValueFault("expected a user or group number below 4294967295")
            }
            return number
        }
        return find(name)
    }
}
