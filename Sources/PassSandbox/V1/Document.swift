// An answer of the older interface, in JSON or XML, and the choice of the format. Contract: rest-v1.md §3.

import PassJSON

struct Document: Sendable {
    /// The name of the outermost element; not used in JSON.
    let root: String
    var namespace: String?
    let content: JSONValue

    init(_ root: String, namespace: String? = nil, _ content: JSONValue) {
        self.root = root
        self.namespace = namespace
        self.content = content
    }

    func response(_ call: Call, status: Int = 200, headers: [Field] = []) -> Response {
        let body: [UInt8]
        let kind = call.format?.kind ?? .json
        switch kind {
        case .json: body = content.bytes
        case .xml: body = Array(xml.utf8)
        }
        return Response(
            status: status, headers: [Field("Content-Type", "application/\(kind.rawValue); charset=utf-8")] + headers,
            body: body)
    }

    private var xml: String {
        var out = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        // In JSON, a list needs a name inside the object. In XML, the outermost element is the list.
        var content = content
        if let only = content.members?.first, content.members?.count == 1, only.name == root, only.value.array != nil {
            content = only.value
        }
        if let namespace {
            Self.write(content, as: "ns2:" + root, " xmlns:ns2=\"\(Self.escaped(namespace))\"", to: &out)
        } else {
            Self.write(content, as: root, to: &out)
        }
        return out
    }

    /// The element names of these lists. In all other lists, the elements are named `value`.
    private static let itemNames = ["mvpds": "mvpd", "domains": "domain", "resources": "resource", "encrypted": "key"]

    private static func write(_ value: JSONValue, as name: String, _ attributes: String = "", to out: inout String) {
        var (name, attributes) = (name, attributes)
        if !isName(name) { (name, attributes) = ("entry", " name=\"\(escaped(name))\"") }
        func element(_ content: (inout String) -> Void) {
            out += "<\(name)\(attributes)>"
            content(&out)
            out += "</\(name)>"
        }
        switch value {
        case .null: break
        case .string(let text): element { $0 += escaped(text) }
        case .bool, .number: element { $0 += value.text }
        case .array(let items):
            element { out in for item in items { write(item, as: itemNames[name] ?? "value", to: &out) } }
        case .object(let object):
            element { out in for member in object.members { write(member.value, as: member.name, to: &out) } }
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first), !"-.".utf8.contains(first) else {
            return false
        }
        return text.utf8.allSatisfy { isIdentifierByte($0) || $0 == UInt8(ascii: ":") }
    }

    /// Escapes text. Replaces characters that XML cannot contain. Writes line breaks in a form that every parser keeps.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": out += "&#13;"
            case "\t", "\n": out.unicodeScalars.append(scalar)
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": out += "\u{FFFD}"
            default: out += escapedXML(String(scalar))
            }
        }
        return out
    }
}

// The format of an answer. The extension of the path decides first. After that come `format` in the query or the form, and
// `Accept`. The default is XML. Contract: rest-v1.md §3, open-questions.md OQ-37.

struct AnswerFormat: Equatable, Sendable {
    enum Kind: String, CaseIterable, Sendable { case xml, json }

    let kind: Kind
    /// Whether two selectors ask for different formats.
    var isContradictory = false
    /// The path without the extension. Endpoints have such paths.
    let path: String

    init(_ request: Request) {
        let byExtension = Kind.allCases.first { request.path.hasSuffix("." + $0.rawValue) }
        path = String(request.path.dropLast(byExtension.map { $0.rawValue.count + 1 } ?? 0))
        let byParameter = (request.query.one("format") ?? request.form?.one("format")).flatMap(Kind.init)
        let accept = Self.accepted(request.header("Accept") ?? "")
        let chosen = [byExtension, byParameter, accept?.isNamed == true ? accept?.kind : nil].compactMap(\.self)
        kind = chosen.first ?? accept?.kind ?? .xml
        isContradictory = chosen.contains { $0 != kind }
    }

    private struct Choice {
        let kind: Kind
        let quality: Double
        let isNamed: Bool
    }

    /// The preferred format in `Accept`: the format with the highest quality. If qualities are equal, a named format comes
    /// before a wildcard.
    private static func accepted(_ header: String) -> Choice? {
        var choices: [Choice] = []
        var wildcard: Double?
        for range in header.parts(between: ",") {
            let parts = range.parts(between: ";").map { $0.trimmed.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "application/json", "text/json": choices.append(Choice(kind: .json, quality: quality, isNamed: true))
            case "application/xml", "text/xml": choices.append(Choice(kind: .xml, quality: quality, isNamed: true))
            case "*/*", "application/*": wildcard = max(wildcard ?? 0, quality)
            default: break
            }
        }
        // A wildcard means XML. If the header names XML as well, the wildcard means JSON.
        if let wildcard, let kind = [Kind.xml, .json].first(where: { kind in !choices.contains { $0.kind == kind } }) {
            choices.append(Choice(kind: kind, quality: wildcard, isNamed: false))
        }
        let best = choices.map(\.quality).max() ?? 0
        return best > 0 ? choices.first { $0.quality == best } : nil
    }
}
