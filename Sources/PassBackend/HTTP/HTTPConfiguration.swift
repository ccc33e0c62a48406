// The settings of the HTTP client. It ignores proxy variables of the environment, `.netrc` and `.curlrc`. Contract:
// operations.md §2 `connect-timeout`, `request-timeout`.

public struct HTTPConfiguration: Equatable, Sendable {
    public var userAgent: String
    public var connectTimeout: Duration
    /// The maximum time from sending to the last byte of the answer, on a clock that stops while the box sleeps.
    public var requestTimeout: Duration
    /// A transfer that stays below this rate for that long is given up, even if the service has not begun to answer.
    public var slowest: (bytesPerSecond: Int, for: Duration)
    /// The maximum bytes in the body of an answer.
    public var bodyLimit: Int
    /// A PEM file that replaces the system's certificate authorities.
    public var certificateAuthorities: String?
    /// The proxy for HTTPS to other machines, like `http://host:port`.
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
