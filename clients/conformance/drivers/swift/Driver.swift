// The conformance driver of PassClient: it connects as passd-cli does, and prints the results.

import Glibc
import PassClient
import PassJSON
import PassProtocol
import PassWire
import Synchronization

@main struct Driver {
    static func main() async {
        let app = App()
        say(["library": "Swift", "features": ["cancel", "limits"]])
        while let line = readLine() {
            guard let step = JSONText.read(line) else { exit(1) }
            app.perform(step)
        }
        app.client?.close()
    }
}

private let output = Mutex(())

private func say(_ line: JSONValue) {
    let bytes = Array((JSONText.line(line) + "\n").utf8)
    output.withLock { _ in
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            start += count
        }
    }
}

private final class App: Sendable {
    private struct State {
        var client: Client?
        var tasks: [String: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    var client: Client? { state.withLock { $0.client } }

    func perform(_ step: JSONValue) {
        guard let id = step["id"]?.string, let command = step["do"]?.string else { exit(1) }
        state.withLock { state in
            if command == "cancel" {
                state.tasks[id]?.cancel()
                return
            }
            state.tasks[id] = Task {
                do throws(ClientFault) {
                    say(["id": .string(id), "result": try await self.result(of: command, step)])
                } catch {
                    say(["id": .string(id), "error": described(error)])
                }
            }
        }
    }

    private func result(of command: String, _ step: JSONValue) async throws(ClientFault) -> JSONValue {
        switch command {
        case "connect": try await connect(step)
        case "call":
            guard let client, let method = step["method"]?.string else { exit(1) }
            return try await client.call(method, step["params"] ?? [:], within: milliseconds(step["within"]))
        case "close": client?.close()
        default: exit(1)
        }
        return [:]
    }

    private func connect(_ step: JSONValue) async throws(ClientFault) {
        let path = getenv("PASSD_SOCKET").map { String(cString: $0) }
        let client = try await connected(
            to: DaemonSockets.find(path, environment: [:]).api, within: milliseconds(step["within"]) ?? .seconds(30),
            limits: step["limits"])
        Task { await follow(client) }
        do throws(ClientFault) {
            if let name = step["name"]?.string {
                client.introduce(name: name, version: step["version"]?.string ?? "0")
            }
            if let options = step["options"] { _ = try await client.call(SetOptions.definition.name, options) }
            if let requestor = step["requestor"]?.string {
                _ = try await client.call(
                    SetRequestor.self, .init(requestorID: requestor, softwareStatement: step["statement"]?.string))
            }
        } catch {
            client.close()
            throw error
        }
        state.withLock { $0.client = client }
    }

    private func connected(
        to path: String, within time: Duration, limits: JSONValue?
    ) async throws(ClientFault) -> Client {
        guard let limits else { return try await Client.connect(to: path, within: time) }
        var chosen = ClientLimits()
        if let size = limits["message"]?.int64 { chosen.messageSize = Int(size) }
        if let size = limits["output"]?.int64 { chosen.outputBuffer = Int(size) }
        if let count = limits["calls"]?.int64 { chosen.pendingCalls = Int(count) }
        do throws(ClientError) {
            return Client(try await ClientConnection.connect(to: path, within: time, limits: chosen), within: time)
        } catch {
            exit(1)
        }
    }

    private func follow(_ client: Client) async {
        for await callback in client.callbacks {
            say(["callback": .string(callback.method), "params": callback.params])
        }
        // If the connection ends before the session exists, `connect` has the error.
        guard self.client === client, let ending = await client.ending, ending != .closed else { return }
        say(["ended": described(ending)])
    }
}

private func milliseconds(_ value: JSONValue?) -> Duration? { value?.int64.map { .milliseconds($0) } }

private func described(_ fault: ClientFault) -> JSONValue {
    let json = fault.json
    let data = json["data"] ?? [:]
    return [
        "code": data["code"] ?? .null, "number": json["code"] ?? .null, "message": json["message"] ?? .null,
        "remedy": data["remedy"] ?? .null, "details": data["details"] ?? .null,
        "retryAfter": data["retryAfter"] ?? .null,
    ]
}
