// What time it is at the service: our own date, corrected by what the `Date` headers of its answers say. A step of more
// than a day needs a second witness, so that one answer with a wrong date ends no login; until then the clock of before
// counts. Before any date is believed, that is our own, or the answer's where that is earlier: a box that boots in
// 1970, or in 2040, neither expires nor immortalises what it remembers, and recovers with the second answer. Pure: it
// is told all times. architecture.md §3, rest-v2.md §7.

public struct ServerClock: Sendable {
    /// A smaller difference counts as none: it may come from the network delay and the header's resolution of a second.
    public static let tolerance = Duration.seconds(2)
    /// A greater difference means that the box's date is wrong (`CFG100`).
    public static let clearlyWrong = Duration.seconds(5 * 60)
    /// A longer step needs the confirmation of a second answer.
    static let longestStep = Duration.seconds(24 * 3600)
    /// How much the dates of two confirming answers may differ, after the time between them is added.
    static let agreement = Duration.seconds(60)

    /// The date of an answer, and the boot time at which it arrived.
    private struct Anchor: Sendable {
        let server: ServerTime
        let boot: BootTime

        func counted(_ boot: BootTime) -> ServerTime { server.advanced(by: self.boot.duration(to: boot)) }
    }

    private var anchor: Anchor?
    /// The difference that a single answer has shown, before a second one confirms it.
    private var claim: Anchor?

    public init() {}

    /// How far the service's clock is ahead of ours; nil until a date has been accepted.
    public private(set) var offset: Duration?

    /// `asked` is when the request was sent: the second answer confirms the first only if it was requested after the
    /// first arrived.
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

    /// Counts on from the last answer, so that a jump of our own date changes nothing.
    public func now(boot: BootTime, wall: ServerTime) -> ServerTime {
        guard let anchor, let offset else { return claim.map { min(wall, $0.counted(boot)) } ?? wall }
        let counted = anchor.counted(boot)
        return offset == .zero && abs(wall.duration(to: counted)) <= Self.clearlyWrong ? wall : counted
    }

    /// Whether the box's own date is known to be clearly wrong.
    public var isClearlyWrong: Bool { offset.map { abs($0) > Self.clearlyWrong } ?? (claim != nil) }
}

func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
