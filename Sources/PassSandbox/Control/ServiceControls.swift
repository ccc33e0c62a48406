// The control paths for the running service itself: journal, faults, clock, reset. Contract: operations.md §4.

import PassJSON

let serviceControlEndpoints = [
    Endpoint("GET", "/sandbox/journal", .loopback) { _, world in
        .json(["requests": world.journal.json])
    },
    Endpoint("DELETE", "/sandbox/journal", .loopback) { _, world in
        world.journal.clear()
        return clock(world)
    },
    Endpoint("POST", "/sandbox/faults", .loopback, addFaults),
    Endpoint("DELETE", "/sandbox/faults", .loopback) { _, world in
        world.faults.clear()
        return clock(world)
    },
    Endpoint("GET", "/sandbox/clock", .loopback) { _, world in clock(world) },
    Endpoint("POST", "/sandbox/clock", .loopback, setClock),
    Endpoint("POST", "/sandbox/reset", .loopback, reset),
]

private func clock(_ world: World) -> Response { .json(["now": .int(world.now)]) }

private func addFaults(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["faults"])
    guard let items = body["faults"]?.array else { throw .badRequest("\"faults\" should be an array") }
    var faults: [Fault] = []
    for item in items { faults.append(try Fault(item)) }
    guard world.faults.scripted.count + faults.count <= Faults.maxScripted else {
        throw .badRequest("there can be at most \(Faults.maxScripted) faults at a time")
    }
    world.faults.add(faults)
    return .json(["faults": .int(Int64(world.faults.scripted.count))])
}

private func setClock(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let body = try controlBody(call.request, known: ["advance", "set"])
    // The clock may be set to the years 1970 to 9999.
    let possible: ClosedRange<Instant> = 0...253_402_300_799_000
    switch (body["advance"], body["set"]) {
    case (let advance?, nil):
        guard let duration = advance.duration,
            possible.contains(world.now &+ duration.milliseconds)
        else { throw .badRequest("\"advance\" should be a time such as \"30m\" or \"-2h\"") }
        world.state.singles.clockOffset &+= duration.milliseconds
    case (nil, let set?):
        guard let instant = set.int, possible.contains(instant) else {
            throw .badRequest("\"set\" should be milliseconds since 1970")
        }
        world.state.singles.clockOffset = instant &- world.wall()
    default: throw .badRequest("the body should have either \"advance\" or \"set\"")
    }
    return clock(world)
}

private func reset(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    _ = try controlBody(call.request, known: [])
    // With a seed, the random numbers begin again, so the codes are the same as at the start. Without a seed, a reset must not
    // repeat codes and ids, so the generator gets a new seed.
    let fresh = world.restart ?? SeededRandom(seed: world.dice.bytes(32))
    world.state.forgetEverything(fresh, world.catalogue)
    for index in world.changedIntegrations { world.toggleIntegration(index) }
    world.faults.clear()
    world.journal.clear()
    world.dice = fresh.branch("dice")
    if world.throttle != nil { world.throttle = Throttle(world.settings.throttle) }
    return clock(world)
}

func controlBody(_ request: Request, known: [String]) throws(Refusal) -> JSONValue {
    let value: JSONValue
    do { value = try JSONReader.read(request.body.isEmpty ? Array("{}".utf8) : request.body) } catch {
        throw .badRequest("the body is not JSON: \(error)")
    }
    try value.checkMembers(of: "the body", known: known)
    return value
}

extension JSONValue {
    /// Refuses a value that is not an object, and an object with unknown members.
    func checkMembers(of thing: String, known: [String]) throws(Refusal) {
        guard let members else { throw .badRequest("\(thing) should be a JSON object") }
        guard let unknown = members.first(where: { !known.contains($0.name) }) else { return }
        let names = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
        throw .badRequest("unknown member \"\(unknown.name)\"; known members of \(thing): \(names)")
    }

    /// A member, converted by `read`; nil if it is missing. `kind` describes a valid value, for the refusal.
    func member<Value>(_ name: String, _ kind: String, _ read: (JSONValue) -> Value?) throws(Refusal) -> Value? {
        guard let value = self[name] else { return nil }
        guard let found = read(value) else { throw .badRequest("\"\(name)\" should be \(kind)") }
        return found
    }

    /// A duration such as `30m`.
    var duration: Duration? { string.flatMap { Duration(written: $0) } }
}
