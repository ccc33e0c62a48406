// A burst is a number of requests that may be sent without a pause. Some services allow a burst only once, and not again after
// a pause. This type remembers such services across restarts. Without this type, a box would send a burst after each daily
// start. The service would refuse a part of the burst, and the viewer would have to wait. Each line of the file has an origin,
// and the time when the note for this origin ends, in seconds since 1970. An unreadable or unwritable file is ignored. May be
// used from any thread.
// Contract: rest-v2.md §15; open-questions.md OQ-48.

package import AccessEnabler
import Glibc
import PassSystem
import Synchronization

package final class BurstNote: Sendable {
    package static let life = Duration.seconds(24 * 3600)
    static let maxLines = 16
    static let maxBytes = 16 << 10

    private let path: String
    private let now: @Sendable () -> ServerTime
    private let writing = Mutex(())

    package init(in directory: String, now: @escaping @Sendable () -> ServerTime) {
        path = directory + "/one-time-burst"
        self.now = now
    }

    /// Returns how long the burst of this origin still counts as one-time; nil if there is no valid note. A note that ends more
    /// than a day from now is ignored. Otherwise the note would never end on a box whose clock is set to 1970 at each start.
    package func remaining(of origin: String) -> Duration? {
        guard let end = lines()[origin] else { return nil }
        let left = now().duration(to: end)
        return left > .zero && left <= Self.life ? left : nil
    }

    /// Notes that the burst of this origin counts as one-time for a day.
    package func note(_ origin: String) {
        writing.withLock { _ in
            let now = now()
            var lines = lines().filter { now < $0.value }
            lines[origin] = now.advanced(by: Self.life)
            let latest = lines.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.maxLines)
            write(latest.map { "\($0.key) \($0.value.milliseconds / 1000)\n" }.joined())
        }
    }

    private func lines() -> [String: ServerTime] {
        guard let bytes = try? TextFile.read(path, limit: Self.maxBytes) else { return [:] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(Self.maxLines)
        return lines.reduce(into: [:]) { found, line in
            let words = line.split(separator: " ")
            // The limit is the end of the year 9999, so that no number can overflow.
            guard words.count == 2, let seconds = Int64(words[1]), (0...253_402_300_799).contains(seconds) else {
                return
            }
            found[String(words[0])] = ServerTime(milliseconds: seconds * 1000)
        }
    }

    private func write(_ text: String) {
        let new = path + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(new, path) == 0 else {
            unlink(new)
            return
        }
    }
}
