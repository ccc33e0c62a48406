// What time it is at the service: our own date, corrected by what the `Date` headers of its answers say. A box that
// boots in 1970 neither expires nor immortalises what it remembers, and recovers with the first answer.
// Architecture §3, rest-v2.md §7.

public struct ServerClock: Sendable {
    /// Differences up to this are the way and the seconds of the header.
    public static let tolerance = Duration.seconds(2)
    /// From then on the box's date counts as wrong (`CFG100`).
    public static let clearlyWrong = Duration.seconds(5 * 60)

    /// An answer's date, when it was received by both of our clocks.
    private struct Anchor: Sendable {
        let server: ServerTime
        let boot: BootTime
    }

    private var anchor: Anchor?

    public init() {}

    /// Nil until the first answer: nobody knows how far off we are.
    public private(set) var offset: Duration?

    public mutating func learn(_ server: ServerTime, boot: BootTime, wall: ServerTime) {
        let difference = wall.duration(to: server)
        offset = abs(difference) <= Self.tolerance ? .zero : difference
        anchor = Anchor(server: server, boot: boot)
    }

    /// Counted on from the last answer, so that a jump of our own date changes nothing.
    public func now(boot: BootTime, wall: ServerTime) -> ServerTime {
        guard let anchor, let offset else { return wall }
        return offset == .zero && abs(wall.duration(to: counted(anchor, boot))) <= Self.clearlyWrong
            ? wall : counted(anchor, boot)
    }

    private func counted(_ anchor: Anchor, _ boot: BootTime) -> ServerTime {
        anchor.server.advanced(by: anchor.boot.duration(to: boot))
    }

    /// Whether the box's own date is clearly wrong.
    public var isClearlyWrong: Bool { offset.map { abs($0) > Self.clearlyWrong } ?? false }
}

func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
