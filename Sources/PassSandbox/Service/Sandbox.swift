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
