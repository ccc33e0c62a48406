// Tells the sessions of connected apps about logins that other sessions made, lost or ended. The other parts of the engine
// reach sessions only through this type. It owns the list of sessions, and decides by rpc.md §5 what each session is told.

import PassProtocol

/// The possible origin of a login that has become valid for a requestor.
enum LoginOrigin: Sendable {
    /// Another app.
    case elsewhere
    /// Not known, because a question to the service has found the login. If an app shows a code, the viewer most likely made
    /// the login with that code.
    case unknown
}

@EngineActor final class Audience {
    private let logins: Logins
    /// The sessions by their numbers.
    private(set) var sessions: [Int64: Session] = [:]

    init(_ logins: Logins) { self.logins = logins }

    func join(_ session: Session) { sessions[session.number] = session }

    func leave(_ session: Session) { sessions[session.number] = nil }

    /// The requestors, with their registrations, that connected apps use now.
    var requestors: Set<LoginKey> { Set(sessions.values.compactMap { $0.asker?.key }) }

    /// The asker of the oldest session that uses this requestor, or nil if there is none.
    func anyAsker(for key: LoginKey) -> Asker? { sessions(of: key).first?.asker }

    /// The sessions of the requestor, the oldest first.
    private func sessions(of key: LoginKey) -> [Session] {
        sessions.values.filter { $0.asker?.key == key }.sorted { $0.number < $1.number }
    }

    /// Lets one session of the requestor ask the platform who is signed in there.
    func askPlatform(of key: LoginKey) async { await sessions(of: key).first?.askPlatformAgain() }

    /// Notifies the sessions that showed the code, one after the other.
    func tellEnd(of code: RegistrationCode, _ end: LoginPoller.End, to watchers: [Int64]) async {
        for number in watchers { await sessions[number]?.codeEnded(code, end) }
    }

    /// Notifies sessions of a completed login. If there was already a login, only sessions with a login in progress are
    /// notified.
    func tellLogin(_ profile: Profile, of key: LoginKey, isNew: Bool, except toldAlready: Set<Int64>) async {
        for session in sessions(of: key)
        where !toldAlready.contains(session.number) && (isNew || session.isLoggingIn) {
            guard logins.login(of: key) != nil else { return }
            await session.signedOn(profile, .elsewhere)
        }
    }

    /// Tells all sessions of the requestor that the viewer is logged out. The session that logged out is not told. `sentence`
    /// is for viewers; nil means the default sentence for the reason.
    func tellEnd(
        of key: LoginKey, _ reason: Callback.Reason, except session: Int64? = nil, saying sentence: BoxSentence? = nil
    ) async {
        for other in sessions(of: key) where other.number != session {
            await other.loggedOut(reason, sentence ?? reason.sentence)
        }
    }

    /// Performs a change that may log sessions of the requestor in or out, and notifies those sessions. `session` is the
    /// session that asked for the change; it is not notified. The caller itself has to notify the sessions with the key
    /// `excepted`. `reason` is the cause of an ended login. `origin` is the possible origin of a new login. `sentence` is for
    /// viewers; nil means the default sentence for the reason.
    func tellingChanges<Outcome>(
        of requestor: RequestorID, except session: Int64?, excepted: LoginKey? = nil, reason: Callback.Reason = .logout,
        saying sentence: BoxSentence? = nil, origin: LoginOrigin = .elsewhere, by change: () async -> Outcome
    ) async -> Outcome {
        let keys = requestors.filter { $0.requestor == requestor && $0 != excepted }
        let before = keys.filter { logins.login(of: $0) != nil }
        let logouts = Dictionary(uniqueKeysWithValues: keys.map { ($0, logins.epochs.logouts(of: $0)) })
        let outcome = await change()
        for key in keys.sorted(by: { $0.registration.app < $1.registration.app }) {
            let after = logins.login(of: key)
            guard before.contains(key) != (after != nil) else { continue }
            // If the viewer has logged out in the meantime, the sessions already know of this logout.
            if after == nil, logouts[key] != logins.epochs.logouts(of: key) { continue }
            for other in sessions(of: key) where other.number != session {
                // If the login has changed again, the later change notifies the remaining sessions.
                guard (logins.login(of: key) != nil) == (after != nil) else { break }
                if let after {
                    await other.signedOn(after, origin)
                } else {
                    await other.loggedOut(reason, sentence ?? reason.sentence)
                }
            }
        }
        return outcome
    }
}
