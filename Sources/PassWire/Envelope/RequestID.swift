// The id of a request. The answer repeats the id exactly. rpc.md §2.

public import PassJSON
import PassProtocol

public enum RequestID: Sendable, Hashable {
    case null
    case string(String)
    case number(JSONNumber)

    public init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .string(let text): self = .string(text)
        case .number(let number): self = .number(number)
        default: return nil
        }
    }

    var size: Int {
        switch self {
        case .null: 0
        case .string(let text): text.utf8.count
        case .number(let number): number.text.utf8.count
        }
    }

    public var json: JSONValue {
        switch self {
        case .null: .null
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        }
    }
}
