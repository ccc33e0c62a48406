// The members of an object in their original order. Two objects are equal if they have the same members in any order.

public struct JSONObject: Sendable, Equatable {
    public struct Member: Sendable, Equatable {
        public let name: String
        public let value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var members: [Member]

    /// Makes an object. The caller has to make sure that names are unique.
    public init(_ members: [Member] = []) { self.members = members }

    public init(_ members: [(String, JSONValue)]) { self.members = members.map(Member.init) }

    /// Makes an empty object with room for this number of members.
    init(expecting count: Int) {
        members = []
        members.reserveCapacity(count)
    }

    public subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    public mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }

    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        if left.members == right.members { return true }
        func byName(_ object: JSONObject) -> [String: JSONValue] {
            Dictionary(object.members.map { ($0.name, $0.value) }) { first, _ in first }
        }
        return byName(left) == byName(right)
    }
}
