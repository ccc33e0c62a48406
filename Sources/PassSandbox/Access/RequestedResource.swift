// A resource as a caller names it: a plain id, or MRSS with the id as the channel's title and possibly ratings.
// Contract: rest-v2.md D1, D2.

import PassJSON

struct RequestedResource: Sendable {
    static let longest = 8 * 1024

    /// The text of the request, which is echoed unchanged.
    let text: String
    /// The id of the channel in the catalogue.
    let id: String
    /// The ratings by their scheme.
    let ratings: [String: String]

    /// Nil if the text is empty or is unreadable MRSS.
    init?(_ text: String) {
        let bare = text.trimmed
        // XML cannot contain control characters, and media tokens are XML.
        guard !bare.isEmpty, text.utf8.count <= Self.longest,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r" })
        else { return nil }
        self.text = text
        guard bare.begins(with: "<") else {
            id = bare
            ratings = [:]
            return
        }
        guard bare.begins(with: "<rss"), let channel = Self.content(of: "channel", in: bare),
            let title = Self.content(of: "title", in: channel)?.trimmed, !title.isEmpty
        else { return nil }
        id = title
        ratings = Self.ratings(in: channel)
    }

    /// The text between the first opening tag of that name and its end, with entities decoded.
    private static func content(of name: String, in text: String) -> String? {
        guard let start = text.place(of: "<" + name),
            let opened = text[start.upperBound...].place(of: ">")?.upperBound,
            let end = text[opened...].place(of: "</\(name)>")
        else { return nil }
        let inner = String(text[opened..<end.lowerBound])
        if inner.trimmed.begins(with: "<![CDATA["), let data = inner.place(of: "<![CDATA["),
            let close = inner[data.upperBound...].place(of: "]]>")
        {
            return String(inner[data.upperBound..<close.lowerBound])
        }
        return inner.holds("<") ? inner : unescapedXML(inner)
    }

    /// Reads elements such as `<media:rating scheme="urn:v-chip">tv-pg</media:rating>`.
    private static func ratings(in text: String) -> [String: String] {
        let schemes = ["urn:v-chip": "VCHIP", "urn:mpaa": "MPAA"]
        var found: [String: String] = [:]
        var rest = text[...]
        while let start = rest.place(of: "<media:rating"),
            let opened = rest[start.upperBound...].place(of: ">"),
            let end = rest[opened.upperBound...].place(of: "</media:rating>")
        {
            let attributes = rest[start.upperBound..<opened.lowerBound].lowercased()
            let scheme = schemes.first { attributes.holds($0.key) }?.value ?? "VCHIP"
            found[scheme] = rest[opened.upperBound..<end.lowerBound].trimmed.uppercased()
            rest = rest[end.upperBound...]
        }
        return found
    }
}

extension ServiceProvider {
    /// Whether preauthorizations leave the resource out, because it needs no login. Contract: rest-v2.md D2; rest-v1.md
    /// §6.11.
    func leavesOut(_ resource: RequestedResource) -> Bool { resources.contains { $0.id == resource.id && !$0.isGated } }
}
