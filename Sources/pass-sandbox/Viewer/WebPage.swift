// A web page reduced to what a viewer needs: its forms and its messages. Any HTML can be read; what is not understood
// is skipped.

struct WebPage: Equatable {
    struct Form: Equatable {
        var action = ""
        var isPost = false
        var fields: [Field] = []
    }

    struct Field: Equatable {
        /// The `type` of an input in lower case; `submit` for a button that sends the form, `option`, `textarea`.
        var kind: String
        var name: String
        var value: String
        var autocomplete = ""
        var isChosen = false

        /// Whether a browser sends the field even if the viewer does not touch it.
        var isSentAnyway: Bool {
            switch kind {
            case "radio", "checkbox", "option": isChosen
            case "submit", "image", "button", "reset", "file": false
            default: !name.isEmpty
            }
        }
    }

    var forms: [Form] = []
    var title = ""
    var heading = ""
    /// The text of the element with `role="alert"`.
    var alert = ""

    init(_ html: String) {
        var reader = Reader(Array(html.utf8))
        while let piece = reader.next() { take(piece) }
        title = title.squeezed
        heading = heading.squeezed
        alert = alert.squeezed
    }

    private var formIsOpen = false
    private var select: String?
    private var captures: [Capture] = []

    /// The most bytes that are kept of a title, a heading or an alert.
    private static let mostText = 4096

    private struct Capture: Equatable {
        var tag: String
        var depth = 1
        var place: WritableKeyPath<WebPage, String>
    }

    private mutating func take(_ piece: Piece) {
        switch piece {
        case .text(let text):
            note(text)
        case .end(let tag):
            for index in captures.indices.reversed() where captures[index].tag == tag {
                captures[index].depth -= 1
                if captures[index].depth == 0 { captures.remove(at: index) }
            }
            if tag == "form" { formIsOpen = false }
            if tag == "select" { select = nil }
        case .start(let tag, let attributes):
            note(" ")
            open(tag, attributes)
        }
    }

    private mutating func note(_ text: String) {
        for capture in captures {
            let room = Self.mostText - self[keyPath: capture.place].utf8.count
            if room > 0 { self[keyPath: capture.place] += text.prefix(room) }
        }
    }

    /// Only the first element of a kind is captured, so there are never more captures than kinds.
    private mutating func capture(_ tag: String, _ place: WritableKeyPath<WebPage, String>) {
        guard self[keyPath: place].isEmpty, !captures.contains(where: { $0.place == place }) else { return }
        captures.append(Capture(tag: tag, place: place))
    }

    private mutating func open(_ tag: String, _ attributes: [String: String]) {
        for index in captures.indices where captures[index].tag == tag { captures[index].depth += 1 }
        if attributes["role"] == "alert" { capture(tag, \.alert) }
        if tag == "title" { capture(tag, \.title) }
        if tag == "h1" { capture(tag, \.heading) }
        var field = Field(
            kind: attributes["type"]?.lowercased() ?? "text", name: attributes["name"] ?? "",
            value: attributes["value"] ?? "", autocomplete: attributes["autocomplete"]?.lowercased() ?? "",
            isChosen: attributes["checked"] != nil)
        switch tag {
        case "form":
            formIsOpen = true
            forms.append(
                Form(action: attributes["action"] ?? "", isPost: attributes["method"]?.lowercased() == "post"))
            return
        case "select":
            select = attributes["name"]
            return
        case "input":
            if ["radio", "checkbox"].contains(field.kind), attributes["value"] == nil { field.value = "on" }
        case "textarea": field.kind = "textarea"
        case "button": if field.kind != "button", field.kind != "reset" { field.kind = "submit" }
        case "option":
            field = Field(
                kind: "option", name: select ?? "", value: attributes["value"] ?? "",
                isChosen: attributes["selected"] != nil)
        default: return
        }
        if formIsOpen, attributes["disabled"] == nil { forms[forms.count - 1].fields.append(field) }
    }
}

private enum Piece {
    case text(String)
    case start(String, [String: String])
    case end(String)
}

/// Cuts HTML into tags and text. Comments, scripts and styles are skipped.
private struct Reader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Piece? {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else { return .text(decoded(upTo: "<")) }
            if bytes[place...].starts(with: Array("<!--".utf8)) {
                skip(past: "-->")
                continue
            }
            let isEnd = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/")
            let start = place + (isEnd ? 2 : 1)
            guard start < bytes.count, isLetter(bytes[start]) else {
                if start < bytes.count, [UInt8(ascii: "!"), UInt8(ascii: "?")].contains(bytes[start]) {
                    skip(past: ">")
                    continue
                }
                place += 1
                return .text("<")
            }
            place = start
            let tag = word(endingAt: "/>")
            let attributes = attributes()
            if isEnd { return .end(tag) }
            if tag == "script" || tag == "style" { skip(past: "</" + tag) }
            return .start(tag, attributes)
        }
        return nil
    }

    private mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while place < bytes.count {
            if isBlank(bytes[place]) || bytes[place] == UInt8(ascii: "/") {
                place += 1
                continue
            }
            if bytes[place] == UInt8(ascii: ">") {
                place += 1
                break
            }
            let name = word(endingAt: "/>=")
            while place < bytes.count, isBlank(bytes[place]) { place += 1 }
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
                if name.isEmpty { place += 1 } else { found[name] = found[name] ?? "" }
                continue
            }
            place += 1
            while place < bytes.count, isBlank(bytes[place]) { place += 1 }
            let value = value()
            found[name] = found[name] ?? value
        }
        return found
    }

    private mutating func value() -> String {
        guard place < bytes.count else { return "" }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = place
            while place < bytes.count, !isBlank(bytes[place]), bytes[place] != UInt8(ascii: ">") { place += 1 }
            return entitiesDecoded(String(decoding: bytes[start..<place], as: UTF8.self))
        }
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != quote { place += 1 }
        defer { place = min(place + 1, bytes.count) }
        return entitiesDecoded(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func word(endingAt stops: String) -> String {
        let start = place
        while place < bytes.count, !isBlank(bytes[place]), !stops.utf8.contains(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
    }

    private mutating func decoded(upTo stop: Unicode.Scalar) -> String {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: stop) { place += 1 }
        return entitiesDecoded(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func skip(past end: String) {
        let end = Array(end.utf8)
        while place < bytes.count {
            if bytes[place...].prefix(end.count).elementsEqual(end, by: { lowercase($0) == $1 }) {
                place += end.count
                return
            }
            place += 1
        }
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(lowercase(byte)) }

    private func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// Decodes the references that templates use: the five named ones, the non-breaking space, and numbers.
private func entitiesDecoded(_ text: String) -> String {
    guard text.contains("&") else { return text }
    let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " "]
    var out = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
        out += rest[..<start]
        rest = rest[start...]
        guard let end = rest.prefix(12).firstIndex(of: ";") else {
            out += "&"
            rest = rest.dropFirst()
            continue
        }
        let name = rest[rest.index(after: start)..<end]
        var replacement = named[String(name)]
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            replacement = number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
        out += replacement ?? String(rest[...end])
        rest = rest[rest.index(after: end)...]
    }
    return out + rest
}

extension String {
    fileprivate var squeezed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
