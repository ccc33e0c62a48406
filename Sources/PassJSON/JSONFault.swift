// The reason why a text is not JSON, and the place of the error.

public struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Reason: String, Sendable {
        case empty = "the message is empty"
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "unexpected character"
        case trailingText = "there is more text after the value"
        case badNumber = "this is not a number"
        case badEscape = "this escape is unknown"
        case controlCharacter = "a control character in a string"
        case invalidUTF8 = "this is not UTF-8"
        case loneSurrogate = "half of a surrogate pair"
        case duplicateMember = "a member name occurs twice"
        case tooDeep = "the nesting is too deep"
        case tooManyValues = "there are too many values"
    }

    public let reason: Reason
    /// The place of the error, in bytes from the beginning of the text.
    public let offset: Int

    public var description: String { "\(reason.rawValue), at byte \(offset)" }
}

/// Limits for a text: the depth limits the use of the stack, and the number of values limits the memory.
public struct JSONLimits: Sendable, Equatable {
    public var depth: Int
    public var values: Int

    public init(depth: Int = 64, values: Int = 100_000) {
        self.depth = depth
        self.values = values
    }
}
