// The service for the server and the tests. It answers one request at a time, behind one lock, and may be called from
// any thread.

import PassJSON
import Synchronization

public final class Sandbox: Sendable {
    let core: Mutex<SandboxCore>

    init(
        catalogue: Catalogue, origin: String, seed: UInt64? = nil, throttled: Bool = true, limitsGuesses: Bool? = nil,
        statePath: String? = nil,
        wall: @escaping @Sendable () -> Instant = SandboxClock.system
    ) throws(StateFileError) {
        let random = seed.map(SeededRandom.init(number:)) ?? .fromKernel()
        var state = State(random: random)
        for rule in catalogue.degradations { state.degradations[rule.name] = rule }
        var file: StateFile?
        if let statePath { file = try StateFile(path: statePath, state: &state) }
        var world = World(catalogue: catalogue, origin: origin, state: state)
        world.limitsGuesses = limitsGuesses ?? throttled
        let core = SandboxCore(
            world: world,
            clock: SandboxClock(offset: state.singles.clockOffset, wall: wall),
            throttle: throttled ? Throttle(catalogue.settings.throttle) : nil, dice: random.branch("dice"), file: file,
            restart: seed == nil ? nil : random)
        self.core = Mutex(core)
    }

    var now: Instant { core.withLock { $0.clock.now } }

    /// Sets the origin. It is known only when the server listens, if the kernel chooses the port.
    func setOrigin(_ origin: String) { core.withLock { $0.world.origin = origin } }

    /// Sets the origin of the pages of a foreign service.
    func setPagesOrigin(_ origin: String) { core.withLock { $0.world.pagesOrigin = origin } }

    /// Answers at the API's address, which usually serves the pages too.
    func answer(_ request: Request) -> Response {
        core.withLock { core in
            let site = core.world.pages
            guard site.foreign == nil || !Router.isForBrowsers(request.path) else { return Self.noSuchPath }
            return site.forClient(core.answer(request)).negotiated(request)
        }
    }

    /// Answers a browser at the address of the pages of a foreign service.
    func answerBrowser(_ request: Request) -> Response {
        core.withLock { core in
            let site = core.world.pages
            guard let path = site.inside(request.path) else {
                return site.forBrowser(pageNotFound()).negotiated(request)
            }
            var request = request
            request.path = path
            return site.forBrowser(core.answer(request)).negotiated(request)
        }
    }

    private static let noSuchPath = Response.json(
        ["status": 404, "message": "There is nothing at this path"], status: 404)
}

// Turns one request into one answer: fault, throttle, endpoint; then the change is made durable, and then the answer is
// sent.

struct SandboxCore {
    var world: World
    var clock: SandboxClock
    var throttle: Throttle?
    var faults = Faults()
    var journal = RequestJournal()
    /// Random numbers that are not part of the state: traces and chances.
    var dice: SeededRandom
    var file: StateFile?
    var lastSweep: Instant = 0
    /// The generator with which a reset begins again; nil without a given seed.
    let restart: SeededRandom?

    mutating func answer(_ request: Request) -> Response {
        let now = clock.now
        let trace = dice.identifier()
        let isControl = request.path.hasPrefix("/sandbox/")
        let fault = isControl ? nil : faults.strike(request) { dice.fraction() }
        var response =
            fault?.replacement(trace: trace, origin: world.origin) ?? CrossOrigin.preflight(request)
            ?? perform(request, now: now, trace: trace)
        response = CrossOrigin.opened(response, to: request)
        if let fault { response = fault.bend(response) }
        if !isControl { journal.record(request, at: now, status: response.status) }
        return response
    }

    private mutating func perform(_ request: Request, now: Instant, trace: String) -> Response {
        if Throttle.covers(request.path, strict: world.settings.strict),
            throttle?.admits(request.address, at: now) == false
        {
            return Throttle.refusal
        }
        if let response = control(request, now: now, trace: trace) { return response }
        if now - lastSweep > 60_000 || now < lastSweep {
            world.state.sweep(at: now)
            lastSweep = now
        }
        let call = Call(request: request, now: now, trace: trace)
        return commit(request, trace: trace) { world throws(Refusal) in
            let before = world.state
            do throws(Refusal) { return try Router.answer(call, &world) } catch {
                guard case .wrongCode(let guessing, let refusal) = error else { throw error }
                // Only the guess counts; everything else is undone.
                world.state = before
                world.countWrongGuess(call, guessing)
                return refusal.response(trace: trace, origin: world.origin)
            }
        }
    }

    /// Executes a change of the world. If it cannot be written to disk, it is undone.
    private mutating func commit(
        _ request: Request, trace: String, change: (inout World) throws(Refusal) -> Response
    ) -> Response {
        let before = world.state
        let response: Response
        do {
            response = try change(&world)
        } catch {
            world.state = before
            return error.response(trace: trace, origin: world.origin)
        }
        guard let file else {
            world.state.discardChanges()
            return response
        }
        do {
            try file.commit(&world.state)
        } catch {
            world.state = before
            if Router.isForBrowsers(request.path) { return notWrittenDownPage() }
            return .json(
                ErrorCode.internalServerError.object(
                    details: error.description, trace: trace, origin: world.origin), status: 500)
        }
        return response
    }

    /// Answers the control paths that concern the running service and not its world.
    private mutating func control(_ request: Request, now: Instant, trace: String) -> Response? {
        guard let command = ServiceCommand(request) else { return nil }
        let checked = commit(request, trace: trace) { world throws(Refusal) in
            try Router.answer(Call(request: request, now: now, trace: trace), &world)
        }
        guard checked.status == 200 else { return checked }
        do {
            return try run(command, request: request, trace: trace)
        } catch {
            return error.response(trace: trace, origin: world.origin)
        }
    }

    private mutating func run(
        _ command: ServiceCommand, request: Request, trace: String
    ) throws(Refusal) -> Response {
        switch command {
        case .readJournal: return .json(["requests": journal.json])
        case .clearJournal: journal.clear()
        case .addFaults:
            let added = try ServiceCommand.faults(request)
            guard faults.scripted.count + added.count <= Faults.most else {
                throw .badRequest("there can be at most \(Faults.most) faults at a time")
            }
            faults.add(added)
            return .json(["faults": .int(Int64(faults.scripted.count))])
        case .clearFaults: faults.clear()
        case .readClock: break
        case .setClock:
            let offset = try ServiceCommand.clockOffset(request, clock)
            let written = commit(request, trace: trace) { world in
                world.state.singles.clockOffset = offset
                world.state.singlesChanged = true
                return .json([:])
            }
            guard written.status == 200 else { return written }
            clock.offset = offset
        case .reset:
            // Without a given seed, nothing must ever repeat.
            let fresh = restart ?? SeededRandom(seed: dice.bytes(32))
            let response = commit(request, trace: trace) { world in
                world.state.forgetEverything(fresh, world.catalogue)
                return .json([:])
            }
            guard response.status == 200 else { return response }
            clock.offset = 0
            faults.clear()
            journal.clear()
            dice = fresh.branch("dice")
            if throttle != nil { throttle = Throttle(world.settings.throttle) }
        }
        return .json(["now": .int(clock.now)])
    }
}
