// A value of the catalogue together with its place, so that errors can name the place. A member that no reader asks for
// is an error too, because it is most likely misspelt.

struct CatalogueError: Error, Equatable, CustomStringConvertible {
    /// The path of the value, such as `providers[2].subscribers[0].user`.
    var place: String
    var line: Int?
    var reason: String

    var description: String {
        [line.map { "line \($0)" }, place.isEmpty ? nil : place, reason].compactMap(\.self).joined(separator: ": ")
    }
}

struct CatalogueNode {
    let value: JSON
    let path: String
    let places: [String: Int]

    func fail(_ reason: String) -> CatalogueError { CatalogueError(place: path, line: places[path], reason: reason) }

    func members(_ known: String...) throws(CatalogueError) {
        guard let members = value.members else { throw fail("should be an object, not \(value.kind)") }
        for member in members where !known.contains(member.name) {
            let node = CatalogueNode(value: member.value, path: child(member.name), places: places)
            let nearest = known.min { distance($0, member.name) < distance($1, member.name) } ?? ""
            throw node.fail("unknown member; the nearest known one is \"\(nearest)\"")
        }
    }

    private func child(_ name: String) -> String { path.isEmpty ? name : path + "." + name }

    func optional(_ name: String) -> CatalogueNode? {
        guard let value = value[name], value != .null else { return nil }
        return CatalogueNode(value: value, path: child(name), places: places)
    }

    func required(_ name: String) throws(CatalogueError) -> CatalogueNode {
        guard let node = optional(name) else { throw fail("the member \"\(name)\" is missing") }
        return node
    }

    func string() throws(CatalogueError) -> String {
        guard let text = value.string else { throw fail("should be a string, not \(value.kind)") }
        guard !text.isEmpty else { throw fail("should not be empty") }
        return text
    }

    func bool() throws(CatalogueError) -> Bool {
        guard let flag = value.bool else { throw fail("should be true or false, not \(value.kind)") }
        return flag
    }

    func int(_ range: ClosedRange<Int64>) throws(CatalogueError) -> Int {
        guard let number = value.int, range.contains(number) else {
            throw fail("should be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    func number(_ range: ClosedRange<Double>) throws(CatalogueError) -> Double {
        guard let number = value.double, range.contains(number) else {
            throw fail("should be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A duration such as `90d`, `24h`, `30m`, `420s` or `500ms`.
    func duration() throws(CatalogueError) -> Duration {
        guard let duration = Duration(written: try string()), duration > .zero else {
            throw fail("should be a time such as 30s, 15m, 24h or 90d")
        }
        return duration
    }

    /// An id, which is used in paths and files: letters, digits and `-_.` only.
    func identifier() throws(CatalogueError) -> String {
        let text = try string()
        guard text.utf8.count <= 64, text.utf8.allSatisfy(isIdentifierByte) else {
            throw fail("\"\(text)\" is not an id: up to 64 letters, digits, '-', '_' and '.'")
        }
        return text
    }

    func items() throws(CatalogueError) -> [CatalogueNode] {
        guard let items = value.array else { throw fail("should be an array, not \(value.kind)") }
        return items.enumerated().map { CatalogueNode(value: $1, path: "\(path)[\($0)]", places: places) }
    }

    func strings() throws(CatalogueError) -> [String] {
        var texts: [String] = []
        for item in try items() { texts.append(try item.string()) }
        return texts
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_: Choice.Type) throws(CatalogueError) -> Choice
    where Choice.RawValue == String {
        let text = try string()
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw fail("\"\(text)\" should be one of: \(known)")
        }
        return choice
    }

    /// An object that maps names to texts.
    func dictionary() throws(CatalogueError) -> [String: String] {
        guard let members = value.members else { throw fail("should be an object, not \(value.kind)") }
        var texts: [String: String] = [:]
        for member in members { texts[member.name] = try required(member.name).string() }
        return texts
    }
}

func isIdentifierByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
    default: false
    }
}

/// The number of letters that have to change to make one word of the other.
package func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one), other = Array(other)
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, otherLetter) in other.enumerated() {
            let cost = letter == otherLetter ? diagonal : diagonal + 1
            diagonal = row[j + 1]
            row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[other.count]
}

extension Duration {
    /// Reads a number with its unit, such as `30s`; nil for anything else. A leading minus is allowed.
    package init?(written text: String) {
        let negative = text.hasPrefix("-")
        let digits = text.dropFirst(negative ? 1 : 0).prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst((negative ? 1 : 0) + digits.count)
        let scale: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let number = Int64(digits), let factor = scale[unit], number <= 4_000_000_000_000 / factor else {
            return nil
        }
        self = .milliseconds(negative ? -number * factor : number * factor)
    }

    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
