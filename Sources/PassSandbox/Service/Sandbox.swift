// The service, as the server and the tests call it. It answers one request at a time, under one lock. Any thread may call it.

import PassJSON
import Synchronization

public final class Sandbox: Sendable {
    let core: Mutex<SandboxCore>

    init(
        catalogue: Catalogue, origin: String, seed: UInt64? = nil, throttled: Bool = true, limitsGuesses: Bool? = nil,
        statePath: String? = nil,
        wall: @escaping @Sendable () -> Instant = systemTime
    ) throws(StateFileError) {
        let random = seed.map(SeededRandom.init(number:)) ?? .fromKernel()
        var state = State(random: random, catalogue)
        let file = try statePath.map { path throws(StateFileError) in try StateFile(path: path, state: &state) }
        let world = World(
            catalogue: catalogue, origin: origin, state: state, limitsGuesses: limitsGuesses ?? throttled, wall: wall,
            throttle: throttled ? Throttle(catalogue.settings.throttle) : nil, dice: random.branch("dice"),
            restart: seed == nil ? nil : random)
        core = Mutex(SandboxCore(world: world, file: file))
    }

    var now: Instant { core.withLock { $0.world.now } }

    /// Sets the origin. It is known only when the server listens, because the kernel may choose the port.
    func setOrigin(_ origin: String) { core.withLock { $0.world.origin = origin } }

    /// Sets the origin of the pages of a foreign service.
    func setPagesOrigin(_ origin: String) { core.withLock { $0.world.pagesOrigin = origin } }

    /// Answers a request at the API's address. Usually, the pages are at this address, too.
    func answer(_ request: Request) -> Response {
        core.withLock { core in
            let site = core.world.pages
            guard site.foreign == nil || !Router.isForBrowsers(request.path) else { return .noSuchPath }
            return site.forClient(core.answer(request)).negotiated(request)
        }
    }

    /// Answers a browser at the address of the pages of a foreign service.
    func answerBrowser(_ request: Request) -> Response {
        core.withLock { core in
            let site = core.world.pages
            guard let path = site.inside(request.path) else {
                return site.forBrowser(pageNotFound().written(for: request)).negotiated(request)
            }
            var request = request
            request.path = path
            return site.forBrowser(core.answer(request)).negotiated(request)
        }
    }
}

/// The steps from a request to its answer: fault, throttle, endpoint. Changes are made durable before the answer is sent.
struct SandboxCore {
    var world: World
    let file: StateFile?
    var lastSweep: Instant = 0

    mutating func answer(_ request: Request) -> Response {
        // An open start page sends a request every second. These requests use no random numbers, so that the same seed still
        // gives the same faults.
        let isStartPage = ["/", "/press"].contains(request.path)
        let trace = isStartPage ? "" : world.dice.identifier()
        let call = Call(request: request, now: world.now, trace: trace, origin: world.origin)
        let isControl = isStartPage || request.path.hasPrefix("/sandbox/")
        let fault = isControl ? nil : world.faults.strike(request, &world.dice)
        var response = fault?.replacement(call) ?? CrossOrigin.preflight(request) ?? perform(call).written(for: request)
        response = CrossOrigin.opened(response, to: request)
        if let fault { response = fault.bend(response) }
        if !isControl { world.journal.record(request, at: call.now, status: response.status) }
        return response
    }

    private mutating func perform(_ call: Call) -> Response {
        if Throttle.covers(call.request.path, strict: world.settings.strict),
            world.throttle?.admits(call.request.address, at: call.now) == false
        {
            return Throttle.refusal
        }
        if call.now - lastSweep > 60_000 || call.now < lastSweep {
            world.state.sweep(at: call.now)
            lastSweep = call.now
        }
        let before = world
        var response: Response
        do throws(Refusal) { response = try Router.answer(call, &world) } catch {
            world = before
            response = error.response(call)
            // A refused call changes nothing. Only wrong guesses are counted.
            guard case .wrongCode(let guessing, _) = error else { return response }
            world.countWrongGuess(call, guessing)
        }
        guard let file else {
            world.state.discardChanges()
            return response
        }
        do {
            try file.commit(&world.state)
        } catch {
            world = before
            response =
                Router.isForBrowsers(call.request.path)
                ? notWrittenDownPage()
                : .json(ErrorCode.internalServerError.object(call, details: error.description), status: 500)
        }
        return response
    }
}
