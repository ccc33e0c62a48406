// The date at the service: the box's date, corrected by the `Date` headers of the service's answers. A correction of more than
// a day is applied only after a second answer confirms it, so that one wrong header ends no login. Until then, the earlier of
// two dates counts: the box's date or the unconfirmed date. The earlier date protects the logins of a box whose clock shows
// 2040 when the box boots. A box whose clock shows 1970 has the right date after the second answer. This type reads no clock:
// all times are passed in. `EngineContext` owns the only instance. architecture.md §3, rest-v2.md §7.

public struct ServerClock: Sendable {
    /// The largest difference that can come from the delay of the network and from the header, which has only whole seconds.
    public static let tolerance = Duration.seconds(2)
    /// The box's date counts as clearly wrong if the difference is larger than this (`CFG100`).
    public static let clearlyWrong = Duration.milliseconds(clearlyWrongMilliseconds)
    private static let clearlyWrongMilliseconds: UInt64 = 5 * 60 * 1000
    /// The largest correction that needs no confirmation by a second answer.
    static let longestStep = Duration.seconds(24 * 3600)
    /// Two answers agree if the second date differs from the expected date by at most this. The expected date is the first date
    /// plus the time between the answers.
    static let agreement = Duration.seconds(60)

    /// The date of an answer, and the time of its arrival on the steady clock.
    private struct Anchor: Sendable {
        let server: ServerTime
        let boot: BootTime

        /// The date of the service at `boot`, a later time than that of the answer.
        func counted(_ boot: BootTime) -> ServerTime { server.advanced(from: self.boot, to: boot) }
    }

    private var anchor: Anchor?
    /// A date that a second answer has to confirm.
    private var claim: Anchor?

    public init() {}

    /// How far the service's date is ahead of the box's; nil until a date is confirmed.
    public private(set) var offset: Duration?

    /// Learns the date of an answer. `asked` is the time of its question. Only an answer to a later question can confirm an
    /// earlier answer.
    public mutating func learn(_ server: ServerTime, asked: BootTime, boot: BootTime, wall: ServerTime) {
        let expected = anchor?.counted(boot) ?? wall
        let isStep = abs(expected.duration(to: server)) > Self.longestStep
        guard !isStep || isConfirmed(server, asked: asked, boot: boot) else {
            claim = Anchor(server: server, boot: boot)
            return
        }
        claim = nil
        let difference = wall.duration(to: server)
        offset = abs(difference) <= Self.tolerance ? .zero : difference
        anchor = Anchor(server: server, boot: boot)
    }

    private func isConfirmed(_ server: ServerTime, asked: BootTime, boot: BootTime) -> Bool {
        guard let claim, claim.boot <= asked else { return false }
        return abs(claim.counted(boot).duration(to: server)) <= Self.agreement
    }

    /// The date at the service. It is counted from the last answer, so a large jump of the box's date has no effect.
    public func now(boot: BootTime, wall: ServerTime) -> ServerTime {
        guard let anchor, let offset else { return claim.map { min(wall, $0.counted(boot)) } ?? wall }
        let counted = anchor.counted(boot)
        return offset == .zero && wall.isWithin(Self.clearlyWrongMilliseconds, of: counted) ? wall : counted
    }

    /// Whether the box's date is clearly wrong, according to the answers so far.
    public var isClearlyWrong: Bool { offset.map { abs($0) > Self.clearlyWrong } ?? (claim != nil) }
}

func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
