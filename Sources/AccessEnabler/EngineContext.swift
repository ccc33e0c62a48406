// The data that all parts of the engine share: the ports and settings, the date at the service, and the observer of events.
// `Engine` owns the context. The context makes no decisions about logins. architecture.md §3.

@EngineActor final class EngineContext {
    let ports: EnginePorts
    var settings: EngineSettings
    let device: DeviceID
    private(set) var serverClock = ServerClock()
    /// The last status of the platform's TV account, for each app.
    var partnerStatus: [AppID: PartnerStatus] = [:]
    /// The time when the account was last asked, for each app.
    var partnerAsked: [AppID: BootTime] = [:]
    /// Whether the daemon is stopping. An app that disconnects now does not end its open login.
    var isStopping = false
    var observer: ((EngineEvent) -> Void)? {
        didSet {
            for event in untold { observer?(event) }
            untold = []
        }
    }
    /// Events that happened before there was an observer.
    private var untold: [EngineEvent] = []
    private static let maxUntold = 256
    /// Called when an answer has corrected the date at the service.
    var onDateChange: () -> Void = {}

    init(_ ports: EnginePorts, _ settings: EngineSettings, device: DeviceID) {
        self.ports = ports
        self.settings = settings
        self.device = device
    }

    func publish(
        _ kind: EngineEvent.Kind, _ requestor: RequestorID?, _ provider: ProviderID? = nil, session: Int64? = nil,
        because cause: EngineEvent.Cause? = nil
    ) {
        publish(
            EngineEvent(kind: kind, requestor: requestor, provider: provider, session: session, cause: cause))
    }

    func publish(_ event: EngineEvent) {
        EngineActor.noteChange()
        if let observer { return observer(event) }
        if untold.count < Self.maxUntold { untold.append(event) }
    }

    // MARK: Time

    /// The date at the service. All dates of the service are compared with this date.
    var now: ServerTime { serverClock.now(boot: ports.clock.boot, wall: ports.clock.wall) }

    /// The range of dates in which all answers of `isAhead` since the last `beginReading` stay the same.
    private(set) var horizon = Horizon()

    func noteHorizon() { horizon = Horizon() }

    /// Whether this date is in the future. Also narrows `horizon`, so that the daemon knows how long an answer from memory is
    /// valid.
    func isAhead(_ date: ServerTime) -> Bool {
        let now = now
        horizon.note(date, at: now)
        return now < date
    }

    /// Whether the login has ended. Uses `isAhead`, so that `horizon` covers this answer, too.
    func hasEnded(_ login: Profile) -> Bool { !isAhead(login.end) }

    func deadline(after duration: Duration) -> BootTime { ports.clock.boot.advanced(by: duration) }

    /// Returns the outcome of the work, or nil if the work takes longer than `limit`. In that case the work continues, and its
    /// outcome is dropped.
    func within<Outcome: Sendable>(
        _ limit: Duration, _ work: @escaping @EngineActor () async -> Outcome
    ) async -> Outcome? {
        let first = FirstOutcome<Outcome?>()
        return await first.wait {
            // Work that ends exactly at the deadline is still in time.
            let alarm = ports.clock.alarm(at: deadline(after: limit)) { Task { @EngineActor in first.come(nil) } }
            Task { @EngineActor in
                let outcome = await work()
                alarm.cancel()
                first.come(outcome)
            }
        }
    }

    /// The deadline of a call that arrives now. Ruling 47.
    var callDeadline: BootTime { deadline(after: settings.callDeadline) }

    /// The shorter of two times: `time`, and the remaining time of the asker's call.
    func limited(_ time: Duration, by asker: Asker) -> Duration {
        asker.deadline.map { min(time, max(.zero, ports.clock.boot.duration(to: $0))) } ?? time
    }

    func learn(_ server: ServerTime, asked: BootTime?) {
        let (boot, former) = (ports.clock.boot, serverClock.offset)
        serverClock.learn(server, asked: asked ?? boot, boot: boot, wall: ports.clock.wall)
        if serverClock.offset != former { onDateChange() }
    }

    /// Converts a date of the service to the box's own clock. passd does this even if that clock is wrong, because apps and
    /// people compare the dates with that clock. All dates that go to the socket are converted here. The engine itself compares
    /// only dates of the service. Ruling 52.
    func boxDate(_ date: ServerTime) -> Int64 { date.advanced(by: now.duration(to: ports.clock.wall)).milliseconds }

    // MARK: Calls to the service

    /// Makes the caller for a request of this asker. If `deadline` is nil, the asker's deadline applies. If the asker has none,
    /// because no call waits, the deadline of background work applies.
    func caller(for asker: Asker, until deadline: BootTime? = nil) -> BackendCaller {
        let deadline = deadline ?? asker.deadline ?? self.deadline(after: settings.backgroundDeadline)
        var caller = BackendCaller(
            registration: asker.key.registration, softwareStatement: asker.statement, requestor: asker.key.requestor,
            device: device, deadline: deadline)
        caller.options = asker.options
        caller.owner = asker.owner
        caller.urgency = asker.urgency
        caller.mayShowDevice = settings.deviceIDIsReadable
        caller.partner = ports.platform.partner
        caller.partnerStatus = partnerStatus[asker.key.registration.app]
        return caller
    }

    /// The asker for work without a session, such as polls after a restart.
    func backgroundAsker(for key: LoginKey) -> Asker {
        Asker(
            key: key, statement: ports.statement(key.registration) ?? Secret(""),
            backend: service(of: key.registration), owner: .box(for: key.registration.app))
    }

    func service(of registration: RegistrationKey) -> any EntitlementBackend {
        ports.services.service(of: registration)
    }

    func hasService(_ registration: RegistrationKey) -> Bool { !service(of: registration).traits.isAbsent }
}
