// Remembers a call and its answer. If a client sends the same text again, with the same or another id, passd recognises it and
// answers without reading JSON. docs/decisions/0019.

import Glibc
public import PassJSON
import PassProtocol

public final class KnownCall: Sendable {
    /// The message's text on both sides of the id. In this file, an id is the digits of a number, or a string without quotes.
    private let opening: [UInt8]
    private let ending: [UInt8]
    private let idIsNumber: Bool
    /// The output on both sides of the id. The output has the callbacks, each on its own line, and then the answer.
    private let before: [UInt8]
    private let behind: [UInt8]

    /// The max size of messages and answers, in bytes. Longer texts are not worth remembering.
    private static let maxMessageSize = 512
    private static let maxAnswerSize = 8 << 10
    /// The max number of digits of an id. All readers of JSON read a number of this size exactly.
    private static let maxDigits = 15
    private static let maxCharacters = 64

    /// Makes a known call from a message and its answer. `callbacks` were sent before the answer. Nil if the call or its answer
    /// is too long, or if the id is neither a whole number nor plain text.
    public init?(_ message: [UInt8], callbacks: [WrittenCallback], result: WrittenJSON) {
        guard message.count <= Self.maxMessageSize,
            callbacks.reduce(result.bytes.count, { $0 + $1.text.bytes.count }) <= Self.maxAnswerSize,
            let (place, isNumber) = Self.placeOfID(in: message)
        else { return nil }
        opening = Array(message[..<place.lowerBound])
        ending = Array(message[place.upperBound...])
        idIsNumber = isNumber
        let quote = isNumber ? [] : [UInt8(ascii: "\"")]
        var opened = callbacks.flatMap { $0.text.bytes + [Self.lineEnd] }
        JSONWriter.append(to: &opened) { $0.append(word: Response.opening) }
        before = opened + quote
        var ended = quote
        JSONWriter.append(to: &ended) { Response.writeEnd(of: .success(.written(result)), by: &$0) }
        behind = ended
    }

    /// The match of a message with this call, and the text of its id.
    public struct Match {
        let call: KnownCall
        let id: UnsafeRawBufferPointer
    }

    /// Matches a message; nil if the message is another call. The match points into the message, so it is valid only as long as
    /// the message.
    public func match(_ message: UnsafeRawBufferPointer) -> Match? {
        id(in: message).map { Match(call: self, id: $0) }
    }

    private func id(in message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard message.count >= opening.count + ending.count else { return nil }
        let place = opening.count..<message.count - ending.count
        guard Self.hasText(opening, in: message, at: 0), Self.hasText(ending, in: message, at: place.upperBound) else {
            return nil
        }
        let id = UnsafeRawBufferPointer(rebasing: message[place])
        return Self.isPlain(id, asNumber: idIsNumber) ? id : nil
    }

    /// Whether both known calls recognise the same messages.
    public func isSameCall(as other: KnownCall) -> Bool {
        idIsNumber == other.idIsNumber && opening == other.opening && ending == other.ending
    }

    /// Writes the callbacks and the answer to the call with this id.
    func write(to id: UnsafeRawBufferPointer, in framing: Framing, to output: inout [UInt8]) {
        guard framing != .line else {
            output += before
            output += id
            output += behind
            return output.append(Self.lineEnd)
        }
        for message in (before + id + behind).split(separator: Self.lineEnd) { output += framing.frame(Array(message)) }
    }

    private static let lineEnd = UInt8(ascii: "\n")

    /// Whether the message has this text at the offset. The message must be long enough.
    private static func hasText(_ text: [UInt8], in message: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        text.withUnsafeBytes { text in
            guard let wanted = text.baseAddress, let found = message.baseAddress else { return text.isEmpty }
            return memcmp(wanted, found + offset, text.count) == 0
        }
    }

    /// Finds the place of the id's text, and whether the id is a number. As a check, the function puts another id in this
    /// place. Returns nil if the changed message is not the same call with the other id.
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
        let otherID = isNumber ? RequestID.number(JSONNumber(verbatim: other)) : .string(other)
        let wanted = Request(id: otherID, method: request.method, params: request.params)
        guard isPlain(message[inner], asNumber: isNumber), Envelope.read(changed) == .single(.request(wanted)) else {
            return nil
        }
        return (inner, isNumber)
    }

    /// Returns the first place of this text after `"id":`, with or without blanks between them.
    private static func firstPlace(of text: [UInt8], in message: [UInt8]) -> Range<Int>? {
        let label = Array("\"id\":".utf8)
        for start in message.indices.dropLast(label.count) where message[start...].starts(with: label) {
            let place = message[(start + label.count)...].firstIndex { $0 != UInt8(ascii: " ") } ?? message.endIndex
            if message[place...].starts(with: text) { return place..<place + text.count }
        }
        return nil
    }

    /// Whether the text is safe as an id: as a string without escapes, or as a whole number.
    private static func isPlain(_ text: some Collection<UInt8>, asNumber: Bool) -> Bool {
        guard asNumber else {
            return text.count <= maxCharacters
                && text.allSatisfy {
                    0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
        guard let first = text.first, text.count <= maxDigits else { return false }
        return (first != UInt8(ascii: "0") || text.count == 1)
            && text.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

extension ServerConnection {
    /// Starts to collect all sent callbacks. Call this from `onCall`. Returns false if the call is in a batch or other calls
    /// are pending.
    public func beginNotingCallbacks() -> Bool {
        guard messageInHand != nil, pendingCalls == 1 else { return false }
        notedCallbacks = []
        return true
    }

    /// Stops collecting. Returns the present call with the collected callbacks and its result. Nil without a result, or if the
    /// call cannot be remembered.
    public func endNotingCallbacks(result: JSONValue?) -> KnownCall? {
        defer { notedCallbacks = nil }
        guard let message = messageInHand, let callbacks = notedCallbacks, let result else { return nil }
        return KnownCall(message, callbacks: callbacks, result: WrittenJSON(result))
    }
}
