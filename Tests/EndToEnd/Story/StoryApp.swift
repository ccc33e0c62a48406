// An app of a story, as its viewer sees it: its calls, their durations on the daemon's clock, and the sentences that it
// shows.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools

final class StoryApp {
    /// The outcome of a call.
    struct Reply: CustomStringConvertible {
        let result: JSONValue
        /// The name of the error, if it is one.
        let error: String?
        let retryAfter: Int64?
        let message: JSONValue

        subscript(name: String) -> JSONValue? { result[name] }

        var description: String { String(decoding: JSONWriter.bytes(message), as: UTF8.self) }
    }

    let name: String
    let requestor: String
    let resource: String
    private unowned let story: Story
    private var peer: RawPeer?
    private var last = 0
    private var answers: [Int: JSONValue] = [:]
    private var begun: [Int: (deed: String?, moment: Duration)] = [:]
    private(set) var callbacks: [(name: String, params: JSONValue)] = []

    init(_ name: String, _ requestor: String, plays resource: String, in story: Story) {
        (self.name, self.requestor, self.resource, self.story) = (name, requestor, resource, story)
    }

    var isConnected: Bool { peer != nil }

    func connect() throws {
        disconnect()
        peer = try RawPeer.connect(to: story.socket)
    }

    func disconnect() {
        peer?.close()
        peer = nil
        (answers, begun, callbacks) = ([:], [:], [])
    }

    /// Sends a call, and returns its number.
    func ask(_ method: String, _ params: JSONValue = [:], as deed: String? = nil) throws -> Int {
        last += 1
        begun[last] = (deed, story.time.now)
        let call: JSONValue = ["jsonrpc": "2.0", "id": .int(last), "method": .string(method), "params": params]
        guard let peer else { throw TestFailure("\(name) is not connected") }
        try peer.send(JSONWriter.bytes(call) + [0x0A])
        return last
    }

    func isAnswered(_ number: Int) -> Bool { answers[number] != nil }

    func answer(_ number: Int) throws -> Reply {
        guard let message = answers[number] else { throw TestFailure("\(name): call \(number) has no answer") }
        let error = message["error"]
        return Reply(
            result: message["result"] ?? .null, error: error.map { $0["data"]?["code"]?.string ?? "\($0)" },
            retryAfter: error?["data"]?["retryAfter"]?.int64, message: message)
    }

    /// Sends a call, and moves the time until the answer arrives.
    @discardableResult
    func call(_ method: String, _ params: JSONValue = [:], as deed: String) throws -> Reply {
        let number = try ask(method, params, as: deed)
        try story.until("\(name) · \(deed)") { isAnswered(number) }
        return try answer(number)
    }

    /// Sends a call, and accepts only a result.
    @discardableResult
    func get(_ method: String, _ params: JSONValue = [:], as deed: String) throws -> JSONValue {
        let reply = try call(method, params, as: deed)
        if let error = reply.error { throw TestFailure("\(name) · \(deed): \(error)") }
        return reply.result
    }

    /// Reads the messages that have arrived. Returns whether there were any.
    func listen() throws -> Bool {
        let messages = try peer?.messagesAtHand() ?? []
        for message in messages {
            if let number = message["id"]?.int64.map({ Int($0) }),
                let (deed, moment) = begun.removeValue(forKey: number)
            {
                answers[number] = message
                if let deed { story.waited(name, deed, since: moment) }
                // If a call is repeated, the app does not show its error.
                if deed != nil || message["error"]?["data"]?["retryAfter"] == nil { note(message) }
            } else if let callback = message["method"]?.string {
                callbacks.append((callback, message["params"] ?? .null))
                note(message["params"] ?? .null)
            }
        }
        return !messages.isEmpty
    }

    /// Waits for a callback, and removes it from the list.
    @discardableResult
    func hear(_ callback: String, as deed: String, _ fits: (JSONValue) -> Bool = { _ in true }) throws -> JSONValue {
        let begin = story.time.now
        try story.until("\(name) · \(deed)") { callbacks.contains { $0.name == callback && fits($0.params) } }
        story.waited(name, deed, since: begin)
        guard let place = callbacks.firstIndex(where: { $0.name == callback && fits($0.params) }) else { return .null }
        return callbacks.remove(at: place).params
    }

    func forgetCallbacks() { callbacks = [] }

    /// All sentences for the viewer, at any place in the message.
    private func note(_ value: JSONValue) {
        if let text = value["display"]?.string {
            story.reads(
                Sentence(
                    app: name, text: text, source: value["displaySource"]?.string, code: value["displayCode"]?.string))
        }
        for member in value.object?.members ?? [] { note(member.value) }
        for item in value.array ?? [] { note(item) }
    }
}

/// A sentence on the screen.
struct Sentence: Hashable {
    let app: String
    let text: String
    let source: String?
    let code: String?
}
