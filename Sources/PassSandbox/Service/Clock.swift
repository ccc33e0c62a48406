// The only clock of the service. Every beginning and end is measured on it; `POST /sandbox/clock` shifts it.

import FoundationEssentials
import Glibc

/// Milliseconds since the epoch.
typealias Instant = Int64

struct SandboxClock: Sendable {
    private let wall: @Sendable () -> Instant
    /// The difference between the sandbox's time and the wall clock.
    var offset: Instant

    init(offset: Instant = 0, wall: @escaping @Sendable () -> Instant = Self.system) {
        self.offset = offset
        self.wall = wall
    }

    var now: Instant { wall() &+ offset }

    static let system: @Sendable () -> Instant = { Instant(Date().timeIntervalSince1970 * 1000) }
}

/// The instant in the form of RFC 9110, for `Date:`.
func httpDate(_ instant: Instant) -> String {
    var seconds = Int((instant - (instant % 1000 + 1000) % 1000) / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
