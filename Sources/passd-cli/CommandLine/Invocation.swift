// One call of a verb: its arguments, the daemon to ask, and the console for its output.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

struct Invocation: Sendable {
    let arguments: Arguments
    let sockets: DaemonSockets
    /// The requestor, if an option or the environment names it.
    let requestor: String?
    var time: Duration
    let wantsJSON: Bool
    let paint: Paint
    let console: any Console

    init(_ arguments: Arguments, environment: [String: String], console: any Console) throws(Mistake) {
        self.arguments = arguments
        self.console = console
        requestor = arguments[.requestor] ?? environment["PASSD_REQUESTOR"].flatMap { $0.isEmpty ? nil : $0 }
        wantsJSON = arguments.has(.json)
        paint = Paint(
            isOn: console.output.isTerminal && !arguments.has(.noColor) && !wantsJSON
                && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb")
        let name = arguments[.instance]
        guard let sockets = name.map(DaemonSockets.ofInstance) ?? .find(arguments[.socket], environment: environment)
        else {
            throw Mistake(
                "--instance \(name ?? "") is not the name of an instance.", remedy: "Give \(InstanceName.form).")
        }
        self.sockets = sockets
        let text = arguments[.timeout] ?? "\(Option.usualTimeout)"
        guard let seconds = Double(text), seconds > 0, seconds <= 86400 else {
            throw Mistake(
                "--timeout \(text) is not a valid time.", remedy: "Give a number of seconds, at most 86400.")
        }
        time = .milliseconds(max(1, Int64(seconds * 1000)))
    }

    // MARK: The daemon

    /// Makes one call. Uses the socket and the session that the method needs.
    func ask<Method: RPCMethod>(_ method: Method.Type, _ params: Method.Params) async throws -> JSONValue {
        try await connect(for: method.definition).call(method, params)
    }

    private func connect(for method: MethodDefinition) async throws -> Client {
        if method.needsRequestor { return try await entitledSession() }
        return method.capability == .observe ? try await connectToObserve() : try await connect(method.socket)
    }

    func ask<Method: RPCMethod>(_ method: Method.Type) async throws -> JSONValue where Method.Params == NoParams {
        try await ask(method, NoParams())
    }

    func connect(_ socket: SocketKind = .api) async throws -> Client {
        let client = try await Client.connect(to: socket == .api ? sockets.api : sockets.admin, within: time)
        client.introduce(name: "passd-cli", version: PassdVersion.text)
        return client
    }

    /// Connects for calls that are open to operators and to apps with `observe`. Tries the operators' socket first, so that
    /// operators need no stanza.
    func connectToObserve() async throws -> Client {
        if let client = try? await connect(.admin) { return client }
        try Task.checkCancellation()
        return try await connect()
    }

    /// The instance of the daemon, if the socket belongs to one.
    var instance: InstanceName? { InstanceName(ofSocket: sockets.admin) }

    /// Opens a session and sets its requestor. If a limit is reached and the daemon's error names a short pause, waits for this
    /// time and tries once more.
    func entitledSession() async throws -> Client {
        let client = try await connect()
        let requestor = try await requestor(of: client)
        do throws(ClientFault) {
            _ = try await client.call(SetRequestor.self, .init(requestorID: requestor))
        } catch {
            guard case .refused(let refusal) = error, refusal.name == .limit, let pause = refusal.retryAfter, pause <= 5
            else { throw error }
            console.tell("\(refusal.message) Trying again in \(Int64(pause).secondsInWords).")
            try await Task.sleep(for: .seconds(pause))
            _ = try await client.call(SetRequestor.self, .init(requestorID: requestor))
        }
        return client
    }

    func permission(of client: Client) async throws(ClientFault) -> Permission {
        Permission(reading: try await client.call(WhoAmI.self))
    }

    /// The requestor from the command line or environment; if there is none, the only requestor that policy allows.
    func requestor(of client: Client) async throws -> String {
        if let requestor { return requestor }
        let permission = try await permission(of: client)
        if let only = permission.onlyRequestor { return only }
        if permission.requestors.isEmpty {
            throw Failure(
                .denied, name: "DENIED", "Policy does not allow this user to act for any requestor.",
                remedy: "Ask the operator for an [app] stanza; the deciding rule is: \(permission.rule)")
        }
        let names = permission.requestors.filter { $0 != "*" }.joined(separator: ", ")
        let choice = names.isEmpty ? "" : "; policy allows \(names)"
        throw Mistake("No requestor is given.", remedy: "Name it with --requestor ID or PASSD_REQUESTOR\(choice).")
    }
}
