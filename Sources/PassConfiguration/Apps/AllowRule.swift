// One rule of `allow`: a set of conditions. A process that meets all conditions of a rule counts as the app. operations.md §2.

import PassJSON
package import PassProtocol

package struct AllowRule: Equatable, Sendable {
    package enum Condition: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
        case unit(String)
        /// The peer comes through the socket of this name. A rule without a socket never holds for such a peer.
        case socket(String)
        /// The peer is a web app of this origin. A rule without an origin never holds for a web app.
        case origin(WebOrigin)
        /// The account does not exist, so the condition never holds.
        case missingAccount
    }

    /// The rule as it is written in the file, such as `user:kodi+unit:kodi.service`.
    package let text: String
    package let conditions: [Condition]
}

extension AllowRule {
    /// The accounts in the rule that do not exist, such as "user kodi".
    var missing: [String] {
        zip(Self.parts(of: text), conditions).filter { $0.1 == .missingAccount }
            .map { $0.0.split(separator: ":").joined(separator: " ") }
    }

    /// The name of the required socket; nil if the rule requires none.
    package var socket: String? {
        conditions.lazy.compactMap { if case .socket(let name) = $0 { name } else { nil } }.first
    }

    /// The kinds of the rule's conditions, such as "user". They are read from the text, because `missingAccount` does not say
    /// whether a user or a group is missing.
    private var kinds: [Substring] { Self.parts(of: text).compactMap { $0.split(separator: ":").first } }

    static func read(_ text: String, _ resources: StanzaResources) throws(ValueFault) -> AllowRule {
        let rule = try read(text, user: resources.user, group: resources.group)
        let kinds = rule.kinds
        for kind in ["socket", "origin"] where kinds.count(where: { $0 == kind }) > 1 {
            throw ValueFault("expected one \(kind): in a rule; separate alternatives by spaces")
        }
        guard kinds.contains("origin") else { return rule }
        guard !kinds.contains("socket") else {
            throw ValueFault("socket: and origin: exclude each other, because web apps use the web gateway")
        }
        // A rule with an origin needs a user, because any program can send any origin. The user is the only fact that the
        // kernel reports about the peer of a TCP connection.
        guard kinds.contains("user") else {
            throw ValueFault("expected user:NAME+origin:…, because any program of any user can send an origin")
        }
        guard !kinds.contains("group") else {
            throw ValueFault("group: and origin: exclude each other, because passd cannot know the groups of a browser")
        }
        return rule
    }

    private static func read(
        _ text: String, user: (String) -> UInt32?, group: (String) -> UInt32?
    ) throws(ValueFault) -> AllowRule {
        var conditions: [Condition] = []
        for part in parts(of: text) { conditions.append(try condition(part, user: user, group: group)) }
        return AllowRule(text: text, conditions: conditions)
    }

    /// Splits a rule into its conditions. A `+` separates two conditions if the text after it begins with a kind, such as
    /// `user:`. Any other `+` is part of a name.
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

    private static let kinds = ["user", "group", "unit", "socket", "origin"]

    private static func condition(
        _ part: String, user: (String) -> UInt32?, group: (String) -> UInt32?
    ) throws(ValueFault) -> Condition {
        guard let (kind, value) = part.parted(at: ":") else { throw fault }
        switch kind {
        case "user": return try account(value, user).map(Condition.user) ?? .missingAccount
        case "group": return try account(value, group).map(Condition.group) ?? .missingAccount
        case "unit":
            guard (value.hasSuffix(".service") || value.hasSuffix(".scope")) && !value.utf8.contains(UInt8(ascii: "/"))
            else {
                throw ValueFault("expected the full name of a unit, such as unit:news24.service")
            }
            return .unit(value)
        case "socket":
            guard AppReader.isName(value, limit: AppSockets.maxNameLength) else {
                throw ValueFault(
                    "expected socket:NAME; NAME has at most \(AppSockets.maxNameLength) letters, digits and . _ -")
            }
            return .socket(value)
        case "origin":
            do throws(WebOrigin.Fault) { return .origin(try WebOrigin(value)) } catch {
                throw ValueFault("origin: \(error)")
            }
        default:
            let nearest = Spelling.nearest(to: kind, among: kinds).map { "; nearest: \($0):" } ?? ""
            throw ValueFault(fault.description + nearest)
        }
    }

    private static let fault = ValueFault(
        "expected user:NAME, group:NAME, unit:NAME, socket:NAME or origin:ORIGIN, joined by +; separate alternatives by "
            + "spaces")

    private static func account(_ name: String, _ find: (String) -> UInt32?) throws(ValueFault) -> UInt32? {
        guard !name.isEmpty, !name.utf8.contains(where: { ",+:/".utf8.contains($0) }) else { throw fault }
        if name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // The kernel uses the highest number for "no user".
            guard let number = UInt32(name), number != .max else {
                throw ValueFault("expected a user or group number below 4294967295")
            }
            return number
        }
        return find(name)
    }
}

extension AllowRule {
    /// Reads the setting `web-gateway`. The setting describes the process that passd trusts to say which web app is calling. If
    /// the setting names no unit, passd trusts all processes of the user.
    package static func gateway(
        _ text: String, user: (String) -> UInt32?
    ) throws(ValueFault) -> AllowRule {
        let rule = try read(text, user: user) { _ in nil }
        let kinds = rule.kinds
        guard kinds.contains("user"), kinds.allSatisfy({ $0 == "user" || $0 == "unit" }), !text.contains(" ") else {
            throw ValueFault("expected \(gatewayForm)")
        }
        return rule
    }

    static let gatewayForm = "none, user:NAME+unit:NAME or user:NAME"
}

extension ValueType where Value == String? {
    static var webGateway: ValueType {
        ValueType(AllowRule.gatewayForm) { text throws(ValueFault) in
            if text == "none" { return nil }
            _ = try AllowRule.gateway(text) { _ in 0 }
            return text
        }
    }
}
