// One app's connection, with one message per line. Every answer and every callback is checked against the socket's
// description of itself.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Synchronization

final class TestApp {
    private let peer: RawPeer
    private let socket: String
    /// The addresses that apps have shown with their codes, by socket and code.
    private static let shown = Mutex<[String: String]>([:])
    private var last = 0
    /// The callbacks in order: name and params.
    private(set) var callbacks: [(name: String, params: JSONValue)] = []
    private var answers: [Int: JSONValue] = [:]
    private var methods: [Int: String] = [:]
    /// The socket's description of itself, against which every message is checked.
    private var document: JSONValue?

    init(_ socket: String, isChecked: Bool = true) throws {
        self.socket = socket
        peer = try RawPeer.connect(to: socket)
        if isChecked { document = try call("rpc.discover") }
    }

    func close() { peer.close() }

    /// Sends a call without waiting, and returns its number.
    func send(_ method: String, _ params: JSONValue = [:]) throws -> Int {
        last += 1
        methods[last] = method
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": .int(last), "method": .string(method), "params": params,
        ]
        try peer.send(JSONWriter.bytes(request) + [0x0A])
        return last
    }

    /// Calls and returns the result. An error is thrown as `RPCError`.
    @discardableResult
    func call(_ method: String, _ params: JSONValue = [:], seconds: Double = 60) throws -> JSONValue {
        try answer(to: try send(method, params), seconds: seconds)
    }

    func answer(to number: Int, seconds: Double = 60) throws -> JSONValue {
        let end = ContinuousClock.now + .seconds(seconds)
        while answers[number] == nil { try receive(until: end, "the answer to call \(number)") }
        let message = answers.removeValue(forKey: number) ?? .null
        if let error = message["error"].flatMap(RPCError.init(json:)) { throw error }
        return message["result"] ?? .null
    }

    /// Waits for the first matching callback, including earlier ones, and returns its params.
    @discardableResult
    func hear(_ name: String, seconds: Double = 60, _ fits: (JSONValue) -> Bool = { _ in true }) throws -> JSONValue {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            if let index = callbacks.firstIndex(where: { $0.name == name && fits($0.params) }) {
                return callbacks.remove(at: index).params
            }
            try receive(until: end, "the callback \(name); so far \(callbacks.map(\.name))")
        }
    }

    /// Waits for a callback after the first `mark` ones, and keeps it in the list.
    @discardableResult func await(_ name: String, since mark: Int, seconds: Double = 60) throws -> JSONValue {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            if let found = callbacks.dropFirst(mark).first(where: { $0.name == name }) { return found.params }
            try receive(until: end, "the callback \(name); so far \(callbacks.map(\.name))")
        }
    }

    /// Opens a login and returns its code.
    func openLogin(_ provider: String = "NorthCable") throws -> String {
        var state = try call("getAuthentication")
        if state["state"]?.string == "selectProvider" {
            state = try call("setSelectedProvider", ["providerID": .string(provider)])
        }
        guard let code = state["code"]?.string else { throw TestFailure("no code: \(state)") }
        let (key, url) = (Self.key(code, socket), (state["link"] ?? state["url"])?.string)
        Self.shown.withLock { $0[key] = url }
        return code
    }

    private static func key(_ code: String, _ socket: String) -> String { socket + " " + code }

    /// The address that an app at this socket has shown as a QR code.
    static func address(of code: String, _ socket: String) -> String? { shown.withLock { $0[key(code, socket)] } }

    func hearLogin(seconds: Double = 60) throws {
        try hear("setAuthenticationStatus", seconds: seconds) { $0["status"]?.int64 == 1 }
    }

    func errorName(_ method: String, _ params: JSONValue = [:]) throws -> String {
        do {
            let result = try call(method, params)
            return "result \(result)"
        } catch let error as RPCError {
            return error.name.text
        }
    }

    private func receive(until end: ContinuousClock.Instant, _ wanted: String) throws {
        guard ContinuousClock.now < end else { throw TestFailure("not in time: \(wanted)") }
        let message: JSONValue
        do { message = try peer.message() } catch let failure as RawPeer.Failure {
            // The peer waits for at most ten seconds, but a login may take longer.
            if failure.description.contains("nothing came") { return }
            throw failure
        }
        if let name = message["method"]?.string {
            callbacks.append((name, message["params"] ?? .null))
            try check(name, message["params"] ?? .null)
        } else if let number = message["id"]?.int64 {
            answers[Int(number)] = message
            try check(message, of: methods.removeValue(forKey: Int(number)) ?? "")
        }
    }

    private func check(_ callback: String, _ params: JSONValue) throws {
        guard let document else { return }
        let known = document["x-passd-callbacks"]?.array?.first { $0["name"]?.string == callback }
        guard let described = known?["params"]?.array else {
            throw TestFailure("the document does not know the callback \(callback)")
        }
        for param in described {
            guard let name = param["name"]?.string else { continue }
            guard let value = params[name] else {
                if param["required"] == true { throw TestFailure("\(callback) lacks \(name): \(params)") }
                continue
            }
            try JSONSchema(document: document).check(value, param["schema"] ?? false, "\(callback).\(name)")
        }
    }

    private func check(_ answer: JSONValue, of method: String) throws {
        guard let document else { return }
        let known = document["methods"]?.array?.first { $0["name"]?.string == method }
        // The admin socket's methods are described on every socket; an unknown one is answered with an error.
        guard let described = known else { return }
        if let result = answer["result"] {
            try JSONSchema(document: document).check(result, described["result"]?["schema"] ?? false, method)
        } else if let error = answer["error"] {
            let schemas = document["components"]?["schemas"]
            try JSONSchema(document: document).check(error, schemas?["Error"] ?? false, method)
            let name = error["data"]?["code"]?.string ?? ""
            let announced =
                (described["errors"]?.array ?? []).compactMap { $0["$ref"]?.string?.split(separator: "/").last }
                + (described["x-passd-statuses"]?.array ?? []).compactMap { $0.string?[...] }
            let family = name.hasPrefix("CFG5") ? "CFG5xx" : name
            if !announced.contains(where: { $0 == family }), !["METHOD_NOT_FOUND"].contains(name) {
                throw TestFailure("\(method) does not announce \(name)")
            }
        }
    }
}
