// The steps of a model test.

import AccessEnabler

/// The connections: two of one app, and two of apps of their own.
enum Seat: String, CaseIterable, Sendable {
    case a1 = "A1"
    case a2 = "A2"
    case b = "B"
    case c = "C"

    var app: AppID { AppID(rawValue: String(rawValue.prefix(1))) }
}

enum Channel: String, CaseIterable, Sendable {
    case r1 = "R1"
    case r2 = "R2"

    var id: RequestorID { RequestorID(rawValue: rawValue) }
    /// The requestors share one provider, and have one of their own each.
    var operators: [Operator] { self == .r1 ? [.m1, .m2] : [.m1, .m3] }
}

enum Operator: String, CaseIterable, Sendable {
    case m1 = "M1"
    case m2 = "M2"
    case m3 = "M3"

    var id: ProviderID { ProviderID(rawValue: rawValue) }
}

indirect enum Step: Sendable, Equatable {
    case setRequestor(Seat, Channel)
    case check(Seat)
    case getAuthentication(Seat)
    case select(Seat, Operator)
    case cancel(Seat)
    case getAuthorization(Seat)
    case checkAuthorization(Seat)
    case preauthorize(Seat)
    case metadata(Seat)
    case profiles(Seat)
    case logout(Seat)
    case close(Seat)
    /// The viewer logs in with the newest open code.
    case viewerLogsIn
    /// The same login, while the daemon polls the code.
    case loginCompletes
    /// A login appears or disappears at the service, but the box is not told.
    case appears(Operator)
    case revoked(Operator)
    case network(isUp: Bool)
    case vault(isWell: Bool)
    case pass(seconds: Int)
    /// The box's date is set.
    case date(daysAhead: Int)
    case restart
    /// Two steps at the same time.
    case together(Step, Step)

    /// Whether time passes during the step, so that logins may expire.
    var isTime: Bool {
        switch self {
        case .pass, .date, .restart: true
        default: false
        }
    }

    /// The connections whose calls are part of the step.
    var seats: Set<Seat> {
        if case .together(let one, let other) = self { return one.seats.union(other.seats) }
        return seat.map { [$0] } ?? []
    }

    /// Whether the step may take effect in the middle of the other call, with another result than before or after it.
    /// This applies to a closing connection, and to a cancel, which does not wait (§6.2).
    func interrupts(_ other: Step) -> Bool {
        switch (self, other) {
        case (.close, _): seat == other.seat
        case (.cancel, .setRequestor): seat == other.seat
        case (.cancel, .getAuthentication), (.cancel, .getAuthorization), (.cancel, .select): true
        default: false
        }
    }

    /// Whether the steps race at the service, so that the result may match neither order. Then the only rule is that no
    /// login from before a logout survives the logout.
    func races(_ other: Step) -> Bool {
        switch (self, other) {
        case (.loginCompletes, .setRequestor), (.loginCompletes, .logout), (.logout, .loginCompletes),
            (.setRequestor, .loginCompletes):
            true
        default: false
        }
    }

    var isLogout: Bool { if case .logout = self { true } else { false } }

    var seat: Seat? {
        switch self {
        case .setRequestor(let seat, _), .check(let seat), .getAuthentication(let seat), .select(let seat, _),
            .cancel(let seat), .getAuthorization(let seat), .checkAuthorization(let seat), .preauthorize(let seat),
            .metadata(let seat), .profiles(let seat), .logout(let seat), .close(let seat):
            seat
        default: nil
        }
    }
}

extension Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .setRequestor(let seat, let channel): "\(seat.rawValue): setRequestor \(channel.rawValue)"
        case .check(let seat): "\(seat.rawValue): checkAuthentication"
        case .getAuthentication(let seat): "\(seat.rawValue): getAuthentication"
        case .select(let seat, let provider): "\(seat.rawValue): setSelectedProvider \(provider.rawValue)"
        case .cancel(let seat): "\(seat.rawValue): setSelectedProvider null"
        case .getAuthorization(let seat): "\(seat.rawValue): getAuthorization"
        case .checkAuthorization(let seat): "\(seat.rawValue): checkAuthorization"
        case .preauthorize(let seat): "\(seat.rawValue): checkPreauthorizedResources"
        case .metadata(let seat): "\(seat.rawValue): getMetadata"
        case .profiles(let seat): "\(seat.rawValue): listProfiles"
        case .logout(let seat): "\(seat.rawValue): logout"
        case .close(let seat): "\(seat.rawValue): disconnects"
        case .viewerLogsIn: "the viewer logs in with the newest code"
        case .loginCompletes: "the viewer logs in, and the daemon asks"
        case .appears(let provider): "the service gains a login at \(provider.rawValue)"
        case .revoked(let provider): "the service revokes the login at \(provider.rawValue)"
        case .network(let isUp): "the network goes \(isUp ? "up" : "down")"
        case .vault(let isWell): "the vault \(isWell ? "takes changes again" : "takes no changes")"
        case .pass(let seconds): "\(seconds) s pass"
        case .date(let days): "the box's date is \(days) days ahead"
        case .restart: "the daemon restarts"
        case .together(let one, let other): "together: [\(one)] and [\(other)]"
        }
    }
}
