// Limits the requests of each address. A burst of requests is accepted without a pause. After the burst, requests are limited
// to the rate. Each address has a bucket of burst + 1 tokens. The bucket is refilled at the rate. With this size, requests are
// refused at the same times as in the vendor's documentation. Contract: rest-v2.md §15, rest-v1.md §11.

struct Throttle: Sendable {
    private struct Bucket {
        var level: Double
        var time: Instant
        var burst: Double
    }

    private static let maxBuckets = 10_000
    private let settings: Settings.Throttle
    private var buckets: [String: Bucket] = [:]

    init(_ settings: Settings.Throttle) { self.settings = settings }

    /// Whether a request from the address is admitted at that time.
    mutating func admits(_ address: String, at now: Instant) -> Bool {
        if buckets[address] == nil, buckets.count >= Self.maxBuckets { forgetIdle(now) }
        var bucket = buckets[address] ?? fresh(now)
        refill(&bucket, now)
        let admitted = bucket.level >= 1 || bucket.burst >= 1
        if bucket.level >= 1 { bucket.level -= 1 } else if admitted { bucket.burst -= 1 }
        buckets[address] = bucket
        return admitted
    }

    var count: Int { buckets.count }

    /// The bucket of a new address. The tokens of a one-time burst are kept separately and never refilled.
    private func fresh(_ now: Instant) -> Bucket {
        settings.oneTimeBurst
            ? Bucket(level: 1, time: now, burst: settings.burst) : Bucket(level: capacity, time: now, burst: 0)
    }

    private var capacity: Double { settings.oneTimeBurst ? 1 : settings.burst + 1 }

    private func refill(_ bucket: inout Bucket, _ now: Instant) {
        let elapsed = Double(max(0, now - bucket.time)) / 1000
        // The level is rounded to thousandths, because otherwise ten additions of 0.1 would give slightly less than 1.
        bucket.level = min(capacity, ((bucket.level + elapsed * settings.rate) * 1000).rounded() / 1000)
        bucket.time = now
    }

    private mutating func forgetIdle(_ now: Instant) {
        let before = now - Instant(capacity / settings.rate * 1000)
        buckets = buckets.filter { $0.value.time > before && $0.value.time <= now }
        if buckets.count >= Self.maxBuckets { buckets.removeAll() }
    }

    /// Whether the path is throttled. Paths for browsers are throttled only with `strict`. Contract: rest-v2.md §15;
    /// evidence: E25.
    static func covers(_ path: String, strict: Bool) -> Bool {
        if ["register", "token", "scopes", "validate"].contains(where: { path == "/o/client/" + $0 }) { return true }
        if path.hasPrefix("/reggie/v1/") || path.hasPrefix("/api/v1/") || path.hasPrefix("/adobe-services/config/") {
            return coversOlder(path)
        }
        return path.hasPrefix("/api/v2/") && (strict || !path.hasPrefix("/api/v2/authenticate/"))
    }

    /// Whether a path of the older interface is throttled. `/api/v1/authenticate` itself is not throttled. Contract: rest-v1.md
    /// §11.
    private static func coversOlder(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        if path.hasPrefix("/reggie/v1/") { return parts.count > 3 && parts[3].hasPrefix("regcode") }
        if parts.count > 4, parts[3] == "profile-requests" { return true }
        return [
            "tokens/usermetadata", "tokens/authn", "tokens/authz", "tokens/media", "config/", "checkauthn", "logout",
            "authorize", "preauthorize", "mediatoken", "authenticate/", "identities",
        ].contains { path.hasPrefix("/api/v1/" + $0) } || path.hasPrefix("/adobe-services/config/")
    }

    static let refusal = Response.html(
        """
        <!DOCTYPE html>
        <html lang="en"><head><title>429 Too Many Requests</title></head>
        <body><h1>Too Many Requests</h1></body></html>

        """, status: 429)
}
