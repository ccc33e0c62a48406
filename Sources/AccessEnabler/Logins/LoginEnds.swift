// Tells connected apps when their login or temporary pass expires. One alarm waits for the earliest end. Contract:
// access-enabler.md §7.8.

import PassProtocol

@EngineActor final class LoginEnds {
    private let context: EngineContext
    private let logins: Logins
    private let audience: Audience
    /// The end of each login that a connected app uses.
    private var ends: [LoginKey: (provider: ProviderID, time: ServerTime)] = [:]
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
        for key in audience.requestors {
            guard let login = logins.login(of: key) else {
                // Forgets a login that was ended before its expiry, because it needs no report. An expired login stays in
                // `ends`, because `tell` still has to report it.
                if let end = ends[key], context.now < end.time { ends[key] = nil }
                continue
            }
            ends[key] = (login.provider, end(of: login, key))
        }
        arm()
    }

    /// The date on which the login ends. A login from the box's TV account also ends when that account expires. Contract:
    /// access-enabler.md §17.7.
    private func end(of login: Profile, _ key: LoginKey) -> ServerTime {
        guard login.kind == .appleSSO, let end = context.partnerStatus[key.registration.app]?.expires, context.now < end
        else { return login.end }
        return min(login.end, end)
    }

    private func arm() {
        guard let next = ends.values.map(\.time).min() else {
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
        for (key, end) in ends.sorted(by: { $0.key.requestor < $1.key.requestor }) where end.time <= now {
            ends[key] = nil
            if let login = logins.login(of: key) {
                // Asks the platform, because the TV account may have been renewed. If it has not been renewed, this question
                // ends the login from the account.
                if login.kind == .appleSSO { await audience.askPlatform(of: key) }
                continue
            }
            logins.tellExpiry(of: key.profileKey(at: end.provider))
            await audience.tellEnd(of: key, .expired)
        }
        refresh()
    }
}
