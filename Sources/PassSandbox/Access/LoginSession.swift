// One login attempt by a code: what is still missing, why it may be dead, and how it begins. Both interfaces use it.
// Contract: rest-v2.md §4 S1–S4, rest-v1.md §7.

/// The three parameters of a login.
struct LoginParameters: Sendable {
    var mvpd: String?
    var domainName: String?
    var redirectURL: String?
    /// The app with which the URL is registered.
    var redirectApp: String?

    var missing: [String] {
        [("mvpd", mvpd), ("domainName", domainName), ("redirectUrl", redirectURL)].filter { $0.1 == nil }.map(\.0)
    }
}

/// Why a code cannot be used to log in.
enum CodeProblem: Sendable { case unknown, expired, used, superseded }

extension Session {
    var missing: [String] {
        LoginParameters(mvpd: mvpd, domainName: domainName, redirectURL: redirectURL).missing
    }

    func problem(at now: Instant) -> CodeProblem? {
        if profile != nil { return .used }
        if isSuperseded { return .superseded }
        return now < ends ? nil : .expired
    }
}

extension World {
    /// Makes a new code. The code that the device showed before stops working. Contract: rest-v2.md S1, "Traps".
    mutating func openSession(
        _ parameters: LoginParameters, owner: Owner, device: Device, identities: [String], at now: Instant,
        id: String? = nil
    ) -> Session {
        for (code, session) in state.sessions.rows
        where owner.owns(session) && session.profile == nil && !session.isSuperseded {
            state.sessions[code]?.isSuperseded = true
        }
        var code = state.random.code()
        while state.sessions[code] != nil { code = state.random.code() }
        let session = Session(
            code: code, id: id ?? state.random.identifier(), serviceProvider: owner.serviceProvider,
            client: owner.client, device: owner.device, deviceInfo: device.info, mvpd: parameters.mvpd,
            domainName: parameters.domainName, redirectURL: parameters.redirectURL,
            redirectApp: parameters.redirectApp, isProviderGiven: parameters.mvpd != nil, identities: identities,
            begins: now,
            ends: now + settings.sessionLifetime.milliseconds)
        state.sessions[code] = session
        return session
    }
}
