// A call that is recognised by its text, whatever its id, together with what it is answered. A message that asks for the
// same again need not be read as JSON. docs/decisions/0019.

import Glibc
import PassJSON
import PassProtocol

public final class KnownCall: Sendable {
    /// The message before and behind the text of its id: the digits of a number, or what a string has between its quotes.
    private let opening: [UInt8]
    private let ending: [UInt8]
    private let idIsNumber: Bool
    let callbacks: [WrittenCallback]
    let result: WrittenJSON

    /// Longer messages and answers are not worth remembering.
    private static let longestMessage = 512
    private static let longestAnswer = 8 << 10
    /// The most digits of an id, so that each one is a number that JSON and its readers agree on.
    private static let mostDigits = 15
    private static let mostCharacters = 64

    /// Nil if the id of the message is neither a whole number nor a plain text, or if the call or its answer is too
    /// long. The callbacks are those that came before the answer.
    public init?(_ message: [UInt8], callbacks: [WrittenCallback], result: WrittenJSON) {
        guard message.count <= Self.longestMessage,
            callbacks.reduce(result.bytes.count, { $0 + $1.text.bytes.count }) <= Self.longestAnswer,
            let (place, isNumber) = Self.placeOfID(in: message)
        else { return nil }
        opening = Array(message[..<place.lowerBound])
        ending = Array(message[place.upperBound...])
        idIsNumber = isNumber
        self.callbacks = callbacks
        self.result = result
    }

    /// The id of the message if it is this call, nil if it is another one.
    public func id(in message: [UInt8]) -> RequestID? {
        guard message.count >= opening.count + ending.count else { return nil }
        let place = opening.count..<message.count - ending.count
        let isThisCall = message.withUnsafeBytes { message in
            Self.stands(opening, in: message, at: 0) && Self.stands(ending, in: message, at: place.upperBound)
        }
        guard isThisCall, Self.isPlain(message[place], asNumber: idIsNumber) else { return nil }
        return Self.id(String(decoding: message[place], as: UTF8.self), isNumber: idIsNumber)
    }

    /// Whether the message, which is long enough, has this text there.
    private static func stands(_ text: [UInt8], in message: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        text.withUnsafeBytes { text in
            guard let wanted = text.baseAddress, let found = message.baseAddress else { return text.isEmpty }
            return memcmp(wanted, found + offset, text.count) == 0
        }
    }

    private static func id(_ text: String, isNumber: Bool) -> RequestID {
        isNumber ? .number(JSONNumber(verbatim: text)) : .string(text)
    }

    /// Where the text of the id is, and whether it is a number. A place is believed to be the id's only if the message is
    /// the same call with another text there, and that text as its id.
    private static func placeOfID(in message: [UInt8]) -> (Range<Int>, isNumber: Bool)? {
        guard case .single(.request(let request)) = Envelope.read(message) else { return nil }
        let (text, isNumber): (String, Bool)
        switch request.id {
        case .number(let number)?: (text, isNumber) = (number.text, true)
        case .string(let string)?: (text, isNumber) = (string, false)
        case .null?, nil: return nil
        }
        guard let place = firstPlace(of: Array((isNumber ? text : "\"\(text)\"").utf8), in: message) else { return nil }
        let inner = isNumber ? place : place.lowerBound + 1..<place.upperBound - 1
        let other = text == "1" ? "2" : "1"
        var changed = message
        changed.replaceSubrange(inner, with: other.utf8)
        let wanted = Request(id: id(other, isNumber: isNumber), method: request.method, params: request.params)
        guard isPlain(message[inner], asNumber: isNumber), Envelope.read(changed) == .single(.request(wanted)) else {
            return nil
        }
        return (inner, isNumber)
    }

    /// Where this text follows `"id":`, with or without blanks between them.
    private static func firstPlace(of text: [UInt8], in message: [UInt8]) -> Range<Int>? {
        let label = Array("\"id\":".utf8)
        for start in message.indices.dropLast(label.count) where message[start...].starts(with: label) {
            let place = message[(start + label.count)...].firstIndex { $0 != UInt8(ascii: " ") } ?? message.endIndex
            if message[place...].starts(with: text) { return place..<place + text.count }
        }
        return nil
    }

    /// Whether any JSON text stays what it is with this text in the place of another such one.
    private static func isPlain(_ text: ArraySlice<UInt8>, asNumber: Bool) -> Bool {
        guard asNumber else {
            return text.count <= mostCharacters
                && text.allSatisfy {
                    0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
        guard let first = text.first, text.count <= mostDigits else { return false }
        return (first != UInt8(ascii: "0") || text.count == 1)
            && text.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

extension ServerConnection {
    /// Answers a call whose answer is known.
    func answer(_ call: KnownCall, _ id: RequestID) {
        statistics.requests += 1
        for callback in call.callbacks { notify(callback) }
        answer(id, batch: nil, outcome: .success(.written(call.result)))
    }

    /// From now on, the callbacks that are sent are noted. To be called while the call is handed out. Returns false if it
    /// came in a batch or is not the only one.
    public func beginNotingCallbacks() -> Bool {
        guard message != nil, pendingCalls == 1 else { return false }
        noted = []
        return true
    }

    /// The call that is being handed out, with the callbacks since `beginNotingCallbacks`. Nil without a result.
    public func endNotingCallbacks(result: JSONValue?) -> KnownCall? {
        defer { noted = nil }
        guard let message, let callbacks = noted, let result else { return nil }
        return KnownCall(message, callbacks: callbacks, result: WrittenJSON(result))
    }
}
