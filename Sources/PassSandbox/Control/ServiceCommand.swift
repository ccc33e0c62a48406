// The control paths that concern the running service itself: journal, faults, clock, reset. Contract: operations.md §4.

import PassJSON

enum ServiceCommand: String, CaseIterable {
    case readJournal = "GET /sandbox/journal"
    case clearJournal = "DELETE /sandbox/journal"
    case addFaults = "POST /sandbox/faults"
    case clearFaults = "DELETE /sandbox/faults"
    case readClock = "GET /sandbox/clock"
    case setClock = "POST /sandbox/clock"
    case reset = "POST /sandbox/reset"

    init?(_ request: Request) { self.init(rawValue: request.method + " " + request.path) }

    /// The endpoints only check the caller and the body; the service executes the command itself.
    static let endpoints = allCases.map { command in
        let words = command.rawValue.split(separator: " ").map(String.init)
        return Endpoint(words[0], path: words[1], access: .loopback) { call, _ throws(Refusal) in
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
func controlBody(_ request: Request, known: Set<String>) throws(Refusal) -> JSONValue {
    let value: JSONValue
    do { value = try JSONReader.read(request.body.isEmpty ? Array("{}".utf8) : request.body) } catch {
        throw .badRequest("the body is not JSON: \(error)")
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
