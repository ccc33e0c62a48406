// How the client behaves. Only what stands here counts: the proxy variables of the environment are ignored, and so are
// `.netrc` and `.curlrc`. Contract: operations.md §2 `connect-timeout`, `request-timeout`.

public struct HTTPConfiguration: Equatable, Sendable {
    public var userAgent: String
    public var connectTimeout: Duration
    /// From the submission to the last byte of the answer, on a clock that does not count suspend.
    public var requestTimeout: Duration
    /// An answer that comes more slowly than this many bytes a second for so long is given up. A
    /// service that thinks for so long before it answers is, too.
    public var slowest: (bytesPerSecond: Int, for: Duration)
    public var bodyLimit: Int
    /// A PEM file that replaces the system's certificate authorities.
    public var certificateAuthorities: String?
    /// For HTTPS to other machines; `http://host:port`.
    public var proxy: String?

    public init(
        userAgent: String, connectTimeout: Duration = .seconds(5), requestTimeout: Duration = .seconds(15),
        slowest: (bytesPerSecond: Int, for: Duration) = (100, .seconds(15)), bodyLimit: Int = 1 << 20,
        certificateAuthorities: String? = nil, proxy: String? = nil
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.requestTimeout = requestTimeout
        self.slowest = slowest
        self.bodyLimit = bodyLimit
        self.certificateAuthorities = certificateAuthorities
        self.proxy = proxy
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.userAgent == right.userAgent && left.connectTimeout == right.connectTimeout
            && left.requestTimeout == right.requestTimeout && left.slowest == right.slowest
            && left.bodyLimit == right.bodyLimit && left.certificateAuthorities == right.certificateAuthorities
            && left.proxy == right.proxy
    }
}
