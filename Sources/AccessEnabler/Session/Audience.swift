// The only way in which the rest of the engine reaches the sessions of connected apps: other parts report here what
// happened to a login, and each session concerned is told as a `LoginListener`. Which session is told what is decided
// here. rpc.md §5.

/// A session as the rest of the engine sees it.
@EngineActor protocol LoginListener: AnyObject {
    var number: Int64 { get }
    /// Nil while no requestor is set or `setRequestor` is under way.
    var asker: Asker? { get }
    /// Whether its viewer is logging in.
    var isLoggingIn: Bool { get }

    /// A code that this session showed has ended. The session may show another one by now.
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

    /// The requestors that are set in connected apps.
    var requestors: Set<LoginKey> { Set(listeners.values.compactMap { $0.asker?.key }) }

    /// The asker of some session with this requestor, if there is one.
    func anyAsker(for key: LoginKey) -> Asker? { listeners(of: key).first?.asker }

    private func listeners(of key: LoginKey) -> [any LoginListener] {
        listeners.values.filter { $0.asker?.key == key }.sorted { $0.number < $1.number }
    }

    /// Tells the sessions that showed the code, one after the other.
    func tellEnd(of code: RegistrationCode, _ end: LoginPoller.End, to sessions: [Int64]) async {
        for number in sessions { await listeners[number]?.codeEnded(code, end) }
    }

    /// Tells sessions of a completed login: all of them if there was none before, otherwise only those that are logging
    /// in.
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

    /// Makes a change that may log sessions of the requestor in or out, and tells those that it did, except the session
    /// that asked for it.
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
                // It has changed again, and whoever changed it tells them.
                guard (logins.login(of: key) != nil) == (after != nil) else { break }
                if let after { await listener.signedOnElsewhere(after) } else { await listener.loggedOut() }
            }
        }
        return outcome
    }
}
