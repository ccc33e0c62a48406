// A sandbox without a network: the shipped catalogue, a fixed seed, and a clock that tests move.

import FoundationEssentials
import PassJSON
import Synchronization

@testable import PassSandbox

final class TestClock: Sendable {
    private let time = Mutex<Instant>(1_795_564_800_000)

    var now: Instant { time.withLock { $0 } }

    func advance(_ duration: Duration) { time.withLock { $0 += duration.milliseconds } }
}

struct SandboxFixture: Sendable {
    static let origin = "http://127.0.0.1:8642"

    let clock = TestClock()
    let sandbox: Sandbox

    /// `change` changes the shipped catalogue.
    init(
        seed: UInt64 = 1, throttled: Bool = false, limitsGuesses: Bool = true,
        change: (inout Catalogue) -> Void = { _ in }
    ) throws {
        var catalogue = try Self.shippedCatalogue()
        change(&catalogue)
        let clock = clock
        sandbox = try Sandbox(
            catalogue: catalogue, origin: Self.origin, seed: seed, throttled: throttled, limitsGuesses: limitsGuesses,
            wall: { clock.now })
        if seed == 1 {
            let keys = Self.keys
            sandbox.withWorld { world, _ in world.state.keys = keys }
        }
    }

    /// Making the keys takes most of a test's time, so the keys of the usual seed are made only once.
    private static let keys: SandboxKeys = {
        var keys = State(random: SeededRandom(number: 1)).keys
        for purpose: SandboxKeys.Purpose in [.statement, .mediaToken, .metadata("LUMEN")] { _ = keys.pair(purpose) }
        return keys
    }()

    static func shippedCatalogue() throws -> Catalogue { try Catalogue.load(shippedCataloguePath) }

    static let shippedCataloguePath =
        String(#filePath.dropLast("Tests/PassSandboxTests/SandboxFixture.swift".count))
        + "Config/sandbox/catalog.json"

    func send(_ request: Request) -> Response { sandbox.answer(request) }
}

extension Request {
    static let deviceInfo = base64(
        ([
            "primaryHardwareType": "SetTopBox", "model": "LTV-200", "version": "2.1",
            "manufacturer": "Lumen Devices", "osName": "Linux", "osFamily": "Linux",
            "osVersion": "6.12", "connectionType": "LAN", "applicationId": "lumen-sports",
        ] as JSONValue).bytes)

    static func get(_ path: String, query: [Field] = [], _ headers: [Field] = []) -> Request {
        Request(method: "GET", path: path, query: query, headers: headers)
    }

    static func post(_ path: String, form: [Field], _ headers: [Field] = []) -> Request {
        Request(
            method: "POST", path: path, headers: [Field("Content-Type", "application/x-www-form-urlencoded")] + headers,
            body: Array(
                form.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&").utf8),
            form: form)
    }

    static func post(_ path: String, json: JSONValue, _ headers: [Field] = []) -> Request {
        Request(
            method: "POST", path: path, headers: [Field("Content-Type", "application/json")] + headers, body: json.bytes
        )
    }

    func without(header name: String) -> Request {
        var copy = self
        copy.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        return copy
    }

    func with(header name: String, _ value: String) -> Request {
        var copy = without(header: name)
        copy.headers.append(Field(name, value))
        return copy
    }
}

extension Response {
    var json: JSONValue { (try? JSONReader.read(body)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
    /// The code of an enhanced error or of an OAuth error.
    var code: String? { json["code"]?.string ?? json["error"]?.string }
}

extension Sandbox {
    /// Gives access to the world. Changes are not written to the state file.
    func withWorld<R: Sendable>(_ body: (inout World, Instant) -> R) -> R {
        core.withLock { core in body(&core.world, core.world.now) }
    }
}
