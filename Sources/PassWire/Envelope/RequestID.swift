// The id of a request: echoed exactly as it came. rpc.md §2.

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

    public var json: JSONValue {
        switch self {
        case .null: .null
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        }
    }
}
