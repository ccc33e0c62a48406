// The control paths that concern the running service itself: journal, faults, clock, reset. Contract: operations.md §4.

enum ServiceCommand: CaseIterable {
    case readJournal, clearJournal, addFaults, clearFaults, readClock, setClock, reset

    var method: String {
        switch self {
        case .readJournal, .readClock: "GET"
        case .clearJournal, .clearFaults: "DELETE"
        case .addFaults, .setClock, .reset: "POST"
        }
    }

    var path: String {
        switch self {
        case .readJournal, .clearJournal: "/sandbox/journal"
        case .addFaults, .clearFaults: "/sandbox/faults"
        case .readClock, .setClock: "/sandbox/clock"
        case .reset: "/sandbox/reset"
        }
    }

    init?(_ request: Request) {
        guard let command = Self.allCases.first(where: { $0.path == request.path && $0.method == request.method })
        else { return nil }
        self = command
    }

    /// The endpoints only check the caller and the body; the service executes the command itself.
    static let endpoints = allCases.map { command in
        Endpoint(command.method, path: command.path, access: .loopback) { call, _ throws(Refusal) in
            switch command {
            case .addFaults: _ = try faults(call.request)
            case .reset: _ = try controlBody(call.request, known: [])
            default: break
            }
            return .json([:])
        }
    }

    static func faults(_ request: Request) throws(Refusal) -> [Fault] {
        let body = try controlBody(request, known: ["faults"])
        guard let items = body["faults"]?.array else { throw .badRequest("\"faults\" should be an array") }
        var faults: [Fault] = []
        for item in items { faults.append(try Fault(item)) }
        return faults
    }

    static func clockOffset(_ request: Request, _ clock: SandboxClock) throws(Refusal) -> Instant {
        let body = try controlBody(request, known: ["advance", "set"])
        // The clock may be set to the years 1970 to 9999.
        let possible: ClosedRange<Instant> = 0...253_402_300_799_000
        switch (body["advance"], body["set"]) {
        case (let advance?, nil):
            guard let duration = advance.string.flatMap({ Duration(written: $0) }),
                possible.contains(clock.now &+ duration.milliseconds)
            else { throw .badRequest("\"advance\" should be a time such as \"30m\" or \"-2h\"") }
            return clock.offset &+ duration.milliseconds
        case (nil, let set?):
            guard let instant = set.int, possible.contains(instant) else {
                throw .badRequest("\"set\" should be milliseconds since 1970")
            }
            return clock.offset &+ (instant &- clock.now)
        default: throw .badRequest("the body should have either \"advance\" or \"set\"")
        }
    }
}

/// The JSON object of a control request. An unknown member is an error.
func controlBody(_ request: Request, known: Set<String>) throws(Refusal) -> JSON {
    let value: JSON
    do { value = try JSONParser.parse(request.body.isEmpty ? Array("{}".utf8) : request.body) } catch {
        throw .badRequest("the body is not JSON: line \(error.line): \(error.reason)")
    }
    guard let members = value.members else { throw .badRequest("the body should be a JSON object") }
    if let unknown = members.first(where: { !known.contains($0.name) }) {
        throw .badRequest(
            known.isEmpty
                ? "unknown member \"\(unknown.name)\"; the body should have no members"
                : "unknown member \"\(unknown.name)\"; known members: \(known.sorted().joined(separator: ", "))")
    }
    return value
}
