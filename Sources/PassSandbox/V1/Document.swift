// The content of an answer of the older interface, which is written as JSON or as XML. Contract: rest-v1.md §3, §15.16.

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
        // In JSON a list needs a name inside the object; in XML the outermost element is that list.
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

    /// The names of the elements of lists. In all other lists the elements are named `value`.
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

    /// Escapes text. Characters that XML cannot contain are replaced; line breaks are written so that every parser
    /// keeps them.
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
