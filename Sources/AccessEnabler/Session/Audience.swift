// How the rest of the engine reaches the sessions of connected apps, and the only way: the rooms say here what happened
// to a login, and each session hears it as its listener. Which session hears what is decided here, by rpc.md §5.

/// One session, as the others see it.
@EngineActor protocol LoginListener: AnyObject {
    var number: Int64 { get }
    /// Nil while no requestor is set, or while one is being set up.
    var asker: Asker? { get }
    /// Its viewer is on the way to a login.
    var isLoggingIn: Bool { get }

    /// A code that this session showed came to an end. It may show another one by now.
    func codeEnded(_ code: RegistrationCode, _ end: LoginPoller.End) async
    /// Somebody logged in with another app, and it counts for this one.
    func signedOnElsewhere(_ profile: Profile) async
    /// Somebody logged out.
    func loggedOut() async
}

@EngineActor final class Audience {
    private let logins: Logins
    private(set) var listeners: [Int64: any LoginListener] = [:]

    init(_ logins: Logins) { self.logins = logins }

    func join(_ listener: any LoginListener) { listeners[listener.number] = listener }

    func leave(_ listener: any LoginListener) { listeners[listener.number] = nil }

    /// The requestors that connected apps may ask for now.
    var requestors: Set<LoginKey> { Set(listeners.values.compactMap { $0.asker?.key }) }

    /// Some session's asker for this requestor, if one is there.
    func anyAsker(for key: LoginKey) -> Asker? { listeners(of: key).first?.asker }

    private func listeners(of key: LoginKey) -> [any LoginListener] {
        listeners.values.filter { $0.asker?.key == key }.sorted { $0.number < $1.number }
    }

    /// To the sessions that showed the code, one after the other.
    func tellEnd(of code: RegistrationCode, _ end: LoginPoller.End, to sessions: [Int64]) async {
        for number in sessions { await listeners[number]?.codeEnded(code, end) }
    }

    /// A login was completed: it is news to everybody if there was none before, else only to those who wait for one.
    func tellLogin(_ profile: Profile, of key: LoginKey, isNew: Bool, except toldAlready: Set<Int64>) async {
        for listener in listeners(of: key)
        where !toldAlready.contains(listener.number) && (isNew || listener.isLoggingIn) {
            guard logins.login(of: key) != nil else { return }
            await listener.signedOnElsewhere(profile)
        }
    }

    func tellLogout(of key: LoginKey, except session: Int64?) async {
        for listener in listeners(of: key) where listener.number != session { await listener.loggedOut() }
    }

    /// Does something that may change what sessions of the requestor would be told about their login, and tells those
    /// for whom it did, but not the one that asked for it.
    func tellingChanges<Outcome>(
        of requestor: RequestorID, except session: Int64?, by change: () async -> Outcome
    ) async -> Outcome {
        let keys = requestors.filter { $0.requestor == requestor }
        let before = keys.filter { logins.login(of: $0) != nil }
        let outcome = await change()
        for key in keys.sorted(by: { $0.registration.app < $1.registration.app }) {
            let after = logins.login(of: key)
            guard before.contains(key) != (after != nil) else { continue }
            for listener in listeners(of: key) where listener.number != session {
                // Changed again, and somebody else tells them.
                guard (logins.login(of: key) != nil) == (after != nil) else { break }
                if let after { await listener.signedOnElsewhere(after) } else { await listener.loggedOut() }
            }
        }
        return outcome
    }
}
