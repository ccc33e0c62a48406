// Describes the form of a value. The same description checks params, describes their faults, and is printed as JSON Schema in
// the OpenRPC document. So checks, messages and document always agree.

public import PassJSON

public indirect enum Schema: Sendable, Equatable {
    case any
    case null
    case boolean
    case number
    case integer(ClosedRange<Int64>? = nil)
    /// A string. `format` is a format of JSON Schema, which helps readers and is not checked.
    case string(format: String? = nil)
    case enumeration([String])
    case array(Schema)
    /// An object with any names of members. All their values have this schema.
    case map(Schema)
    /// An object with these members. Other members are ignored (rpc.md §2).
    case object([Member])
    case nullable(Schema)
    case oneOf([Schema])
    /// A schema that has its own name in the OpenRPC document.
    case component(Component)

    public static var string: Schema { .string() }

    public static var integer: Schema { .integer() }

    /// A string that is the raw value of one of the type's cases.
    public static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Schema {
        .enumeration(type.allCases.map(\.rawValue))
    }

    /// Milliseconds since the epoch, like all times on the socket (rpc.md §4).
    public static var time: Schema { .integer(0...Int64.max) }

    public static var empty: Schema { .object([]) }
}

/// One member of an object, or one param of a method.
public struct Member: Sendable, Equatable {
    public let name: String
    public let schema: Schema
    public let summary: String
    public let isRequired: Bool
    /// The default of an absent member.
    public let fallback: JSONValue?

    public static func required(_ name: String, _ schema: Schema, summary: String = "") -> Member {
        Member(name: name, schema: schema, summary: summary, isRequired: true, fallback: nil)
    }

    public static func optional(
        _ name: String, _ schema: Schema, summary: String = "", default fallback: JSONValue? = nil
    ) -> Member {
        Member(name: name, schema: schema, summary: summary, isRequired: false, fallback: fallback)
    }
}

/// A schema that is used in several places, printed as `#/components/schemas/NAME`.
public struct Component: Sendable, Equatable {
    public let name: String
    public let summary: String
    public let schema: Schema

    public init(_ name: String, summary: String, schema: Schema) {
        self.name = name
        self.summary = summary
        self.schema = schema
    }
}

extension Component {
    /// Every component that a method, callback or event uses, without duplicates.
    public static var all: [Component] {
        let methods = MethodTable.all.map { $0.definition }
        var used: [Component] = methods.flatMap { $0.schema.components + $0.result.components }
        used += CallbackTable.all.flatMap { $0.schema.components }
        used += EventTable.all.flatMap { $0.schema.components }
        used += [RPCError.component] + RPCError.component.schema.components
        var seen: Set<String> = []
        return used.filter { seen.insert($0.name).inserted }
    }
}

extension Schema {
    /// The components that this schema uses, directly or indirectly. A component comes after the components in its own schema.
    public var components: [Component] {
        switch self {
        case .array(let inner), .map(let inner), .nullable(let inner): inner.components
        case .object(let members): members.flatMap(\.schema.components)
        case .oneOf(let schemas): schemas.flatMap(\.components)
        case .component(let component): component.schema.components + [component]
        default: []
        }
    }
}
