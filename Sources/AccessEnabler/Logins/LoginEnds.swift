// Tells observers and the connected apps when logins and temporary passes expire. One alarm waits for the earliest end.
// Contract: access-enabler.md §7.8; rpc.md §6.

import PassProtocol

@EngineActor final class LoginEnds {
    private let context: EngineContext
    private let logins: Logins
    private let audience: Audience
    /// The end of each login.
    private var ends: [ProfileKey: ServerTime] = [:]
    private var alarm: (any EngineAlarm)?
    private var alarmTime: BootTime?
    /// The max wait of an alarm, because the date may be corrected during a longer wait.
    private static let longestWait = Duration.seconds(3600)

    init(_ context: EngineContext, _ logins: Logins, audience: Audience) {
        self.context = context
        self.logins = logins
        self.audience = audience
    }

    /// Updates the ends. Call this after a change of the logins, the connected apps, or the date at the service.
    func refresh() {
        guard !context.isStopping else { return }
        let now = context.now
        // Forgets the logins that were ended before their expiry, because they need no report. An expired login stays in `ends`,
        // because `tell` still has to report it.
        ends = ends.filter { $0.value <= now }
        for (key, login) in logins.profiles where now < login.end && context.hasService(key.registration) {
            ends[key] = end(of: login, key, now)
        }
        arm()
    }

    /// The date on which the login ends. A login from the box's TV account also ends when that account expires. Contract:
    /// access-enabler.md §17.7.
    func end(of login: Profile, _ key: ProfileKey, _ now: ServerTime) -> ServerTime {
        guard login.kind == .appleSSO, let end = context.partnerStatus[key.registration.app]?.expires, now < end
        else { return login.end }
        return min(login.end, end)
    }

    private func arm() {
        guard let next = ends.values.min() else {
            alarm?.cancel()
            return (alarm, alarmTime) = (nil, nil)
        }
        let wait = min(max(context.now.duration(to: next), .zero), Self.longestWait)
        let time = context.deadline(after: wait)
        guard time != alarmTime else { return }
        alarm?.cancel()
        alarmTime = time
        alarm = context.ports.clock.alarm(at: time, starting: { [weak self] in await self?.tell() })
    }

    private func tell() async {
        (alarm, alarmTime) = (nil, nil)
        let now = context.now
        for (key, end) in ends.sorted(by: { ($0.key.requestor, $0.key.provider) < ($1.key.requestor, $1.key.provider) })
        where end <= now {
            // During an `await`, another alarm may have reported this end.
            guard ends.removeValue(forKey: key) != nil else { continue }
            if let login = logins.profile(at: key) {
                // Asks the platform, because the TV account may have been renewed. If it has not been renewed, this question
                // ends the login from the account.
                if login.kind == .appleSSO { await audience.askPlatform(of: key.login) }
                continue
            }
            logins.tellExpiry(of: key)
            if logins.selection(of: key.requestor)?.provider.id == key.provider {
                await audience.tellEnd(of: key.login, .expired)
            }
        }
        refresh()
    }
}
