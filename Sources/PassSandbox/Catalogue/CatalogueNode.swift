// A value of the catalogue with its place, so that errors can name the place. An unknown member is an error, because its name
// is probably misspelt.

import PassJSON

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
    private let text: [UInt8]
    let value: JSONValue
    private let path: String
    /// The number of values before this one in the text.
    private let place: Int

    private init(_ text: [UInt8], _ value: JSONValue, path: String, place: Int) {
        (self.text, self.value, self.path, self.place) = (text, value, path, place)
    }

    init(_ text: [UInt8]) throws(CatalogueError) {
        do throws(JSONFault) {
            self.init(text, try JSONReader.read(text, limits: JSONLimits(values: .max)), path: "", place: 0)
        } catch {
            throw CatalogueError(place: "", line: Self.line(error.offset, of: text), reason: error.reason.rawValue)
        }
    }

    func fail(_ reason: String) -> CatalogueError { CatalogueError(place: path, line: line, reason: reason) }

    /// The line of the value. To find the line, the text is read again with a limit of `place` values. The reader then stops at
    /// the beginning of this value.
    private var line: Int? {
        do throws(JSONFault) {
            _ = try JSONReader.read(text, limits: JSONLimits(values: place))
            return nil
        } catch {
            return Self.line(error.offset, of: text)
        }
    }

    private static func line(_ offset: Int, of text: [UInt8]) -> Int {
        text.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    }

    func members(_ known: String...) throws(CatalogueError) { try members(known) }

    func members(_ known: [String]) throws(CatalogueError) {
        for node in try children() where !known.contains(node.name) {
            let nearest = Spelling.nearest(to: node.name, among: known).map { "the nearest known one is \"\($0)\"" }
            throw node.node.fail("unknown member; \(nearest ?? "known members: " + known.joined(separator: ", "))")
        }
    }

    private func children() throws(CatalogueError) -> [(name: String, node: CatalogueNode)] {
        guard let members = value.members else { throw fail("should be an object, not \(value.kind)") }
        var place = place + 1
        return members.map { member in
            defer { place += member.value.count }
            let path = path.isEmpty ? member.name : path + "." + member.name
            return (member.name, CatalogueNode(text, member.value, path: path, place: place))
        }
    }

    func optional(_ name: String) -> CatalogueNode? {
        guard let node = try? children().first(where: { $0.name == name })?.node, node.value != .null else {
            return nil
        }
        return node
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

    /// An id. Paths and files contain ids, so only letters, digits and `-_.` are allowed.
    func identifier() throws(CatalogueError) -> String {
        let text = try string()
        guard text.utf8.count <= 64, text.utf8.allSatisfy(isIdentifierByte) else {
            throw fail("\"\(text)\" is not an id: up to 64 letters, digits, '-', '_' and '.'")
        }
        return text
    }

    func items() throws(CatalogueError) -> [CatalogueNode] {
        guard let items = value.array else { throw fail("should be an array, not \(value.kind)") }
        var place = place + 1
        return items.enumerated().map { index, item in
            defer { place += item.count }
            return CatalogueNode(text, item, path: "\(path)[\(index)]", place: place)
        }
    }

    func strings() throws(CatalogueError) -> [String] {
        try items().map { item throws(CatalogueError) in try item.string() }
    }

    /// Reads the items of an optional member. Two items with the same `key` are an error.
    func list<Item>(
        _ name: String, by key: (Item) -> String, _ read: (CatalogueNode) throws(CatalogueError) -> Item
    ) throws(CatalogueError) -> [Item] {
        var items: [Item] = []
        var seen: Set<String> = []
        for child in try optional(name)?.items() ?? [] {
            let item = try read(child)
            guard seen.insert(key(item)).inserted else { throw child.fail("\"\(key(item))\" appears twice") }
            items.append(item)
        }
        return items
    }

    /// Reads the name of another part of the catalogue, and returns that part. An unknown name is an error.
    func reference<Found>(_ kind: String, _ find: (String) -> Found?) throws(CatalogueError) -> Found {
        let name = try string()
        guard let found = find(name) else { throw fail("there is no \(kind) \"\(name)\"") }
        return found
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
        var texts: [String: String] = [:]
        for child in try children() { texts[child.name] = try child.node.string() }
        return texts
    }
}

extension JSONValue {
    /// The number of values, including nested ones.
    fileprivate var count: Int {
        switch self {
        case .array(let items): items.reduce(1) { $0 + $1.count }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
        default: 1
        }
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

// Reads values of the catalogue that have a special form: keys, domains, colours, ratings.

extension CatalogueNode {
    func publicKey() throws(CatalogueError) -> PublicKey {
        guard let key = PublicKey(pem: try string()) else { throw fail("is not a public key in PEM format") }
        return key
    }

    func domains() throws(CatalogueError) -> [String] {
        try items().map { item throws(CatalogueError) in try item.domain() }
    }

    private func domain() throws(CatalogueError) -> String {
        let text = try string().lowercased()
        guard text.utf8.allSatisfy({ isIdentifierByte($0) || $0 == UInt8(ascii: ":") }), !text.hasPrefix(".") else {
            throw fail("\"\(text)\" is not the name of a host or domain")
        }
        return text
    }

    func color() throws(CatalogueError) -> String {
        let text = try string()
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else {
            throw fail("should be a colour such as #20508a")
        }
        return text
    }

    func ratings() throws(CatalogueError) -> [String: String] {
        let ratings = try dictionary()
        for (scheme, rating) in ratings where Rating.order[scheme]?.contains(rating) != true {
            throw fail("\"\(rating)\" is not a rating of \(scheme); use MPAA or VCHIP with their usual ratings")
        }
        return ratings
    }
}
