// An app at the other end of a socket pair. It reads on a thread of its own, so that the engine's queue is never
// blocked. It checks every message against the tables of methods, callbacks and events.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Synchronization

final class Visitor: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// A call with all messages up to its answer.
    struct Exchange: Sendable {
        let callbacks: [JSONValue]
        let answer: JSONValue

        var heard: [String] { callbacks.compactMap { $0["method"]?.string } }
        /// The stable name; nil if there was a result.
        var fault: String? { answer["error"]?["data"]?["code"]?.string }
    }

    private let peer: RawPeer
    /// Held while the peer is used.
    private let turn = Mutex(())
    private let last = Mutex(0)

    init(_ descriptor: consuming Descriptor) { peer = RawPeer(descriptor) }

    private func perform<T: Sendable>(_ work: @escaping @Sendable (RawPeer) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { reply in
            OwnThread.run { [self] in reply.resume(with: turn.withLock { _ in Result { try work(peer) } }) }
        }
    }

    func leave() async throws { try await perform { $0.close() } }

    /// Disconnects without waiting, while no other work is pending.
    func leaveAtOnce() { peer.close() }

    func send(_ lines: String...) async throws {
        try await perform { try $0.send(lines.map { $0 + "\n" }.joined()) }
    }

    /// The next message; nil at the end of the stream.
    func next() async throws -> JSONValue? {
        guard let line = try await line() else { return nil }
        let message = try JSONReader.read(Array(line.utf8))
        if let name = message["method"]?.string { try Self.check(name, message["params"] ?? .null) }
        return message
    }

    private func line() async throws -> String? {
        if let line = turn.withLock({ _ in peer.lineAtHand() }) { return line }
        return try await perform { try $0.line() }
    }

    private static func check(_ name: String, _ params: JSONValue) throws {
        guard let definition = CallbackTable.find(name) else { throw Failure(description: "no callback \(name)") }
        try definition.schema.check(params)
        guard name == "event" else { return }
        let type = params["type"]?.string.flatMap(EventType.init(rawValue:))
        guard let row = EventTable.all.first(where: { $0.type == type }) else {
            throw Failure(description: "no event \(params)")
        }
        try row.schema.check(params["data"] ?? .null)
    }

    /// Checks that the table announces the result, the error and the callbacks. Events may come at any time.
    private static func check(_ exchange: Exchange, of method: String) throws {
        guard let definition = MethodTable.find(method)?.definition else { return }
        if let result = exchange.answer["result"] {
            try definition.result.check(result)
            // Clients ignore unknown members. The daemon sends only members that the schema names. The format of
            // rpc.discover is OpenRPC, and the schema names only a part of OpenRPC.
            if method != "rpc.discover", let unnamed = definition.result.unnamedMember(in: result) {
                throw Failure(description: "the schema of \(method) does not name \(unnamed)")
            }
        }
        if let fault = exchange.fault, fault != ErrorName.methodNotFound.text {
            // The table lists these codes only as a family.
            let announced = fault.hasPrefix("CFG5") ? SDKStatus.CFG5xx.rawValue : fault
            guard definition.errors.contains(where: { $0.text == announced }) else {
                throw Failure(description: "\(method) does not announce the error \(fault)")
            }
        }
        for name in exchange.heard where name != "event" && !definition.callbacks.contains(name) {
            throw Failure(description: "\(method) does not announce the callback \(name)")
        }
    }

    /// Waits for the next callback of this name, and skips others.
    func hear(_ name: String) async throws -> JSONValue {
        while let message = try await next() {
            if message["method"]?.string == name { return message["params"] ?? .null }
        }
        throw Failure(description: "the stream ended before \(name)")
    }

    func exchange(_ method: String, _ params: JSONValue = [:]) async throws -> Exchange {
        let id = last.withLock { last in
            last += 1
            return last
        }
        let request: JSONValue = ["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": params]
        try await send(String(decoding: JSONWriter.bytes(request), as: UTF8.self))
        var callbacks: [JSONValue] = []
        while let message = try await next() {
            guard message["id"] == .int(id) else {
                callbacks.append(message)
                continue
            }
            let exchange = Exchange(callbacks: callbacks, answer: message)
            try Self.check(exchange, of: method)
            return exchange
        }
        throw Failure(description: "the stream ended before the answer of \(method)")
    }

    /// Calls a method and returns its result.
    @discardableResult func call(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        let answer = try await exchange(method, params).answer
        guard let result = answer["result"] else { throw Failure(description: "\(method): \(answer)") }
        return result
    }
}

extension JSONValue {
    var text: String { String(decoding: JSONWriter.bytes(self), as: UTF8.self) }
}
