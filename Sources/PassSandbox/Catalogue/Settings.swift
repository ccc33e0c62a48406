// The sandbox's switches, and the reader of the catalogue's `settings`. The defaults follow the contract. docs/sandbox.md
// describes all switches.

struct Settings: Sendable {
    /// Whether the sandbox refuses requests that the contract's tables forbid but the real service accepts.
    var strict = false
    var throttle = Throttle()
    var sessionLifetime = Duration.seconds(30 * 60)
    var accessTokenLifetime = Duration.seconds(6 * 60 * 60)
    /// The lifetime of client credentials; nil if they never expire.
    var clientLifetime: Duration?
    var mediaTokenLifetime = Duration.seconds(7 * 60)
    var degradedLifetime = Duration.seconds(60 * 60)
    var serviceTokenLifetime = Duration.seconds(60 * 60)
    var linkLifetime = Duration.seconds(15 * 60)
    var denialLifetime = Duration.seconds(60 * 60)
    /// Whether a token request is answered with 200 instead of 201.
    var tokenStatusOK = false
    /// Whether `created_at` is in seconds, as on older servers.
    var createdAtInSeconds = false
    var omitScopes = false
    var omitTokenID = false
    /// An OAuth error code that answers every registration.
    var refuseRegistration: String?
    /// Whether the sandbox trusts an unknown device key of a registered client.
    var trustFirstUse = true
    var metadataPadding = RSAPadding.oaep
    /// REST V1: whether a login belongs to the client registration as well as to the device.
    var bindToClient = false
    /// REST V1: whether a device can use a login for another service provider.
    var deviceSignOn = true
    /// REST V1: whether a comma separates resources in the parameter `resource` of a preauthorization.
    var splitCommas = true
    /// The name of the member with user metadata in decisions. Nil if decisions have no such member. The service's
    /// documentation does not specify the name.
    var decisionMetadata: DecisionMetadata?
    /// Whether logins and logouts may end at unregistered addresses.
    var anyRedirect = false
    /// The behaviour of a foreign service; nil if pages and API have the same address.
    var foreign: ForeignManners?

    enum DecisionMetadata: String, CaseIterable, Sendable { case metadata, userMetadata, attributes }

    struct Throttle: Sendable {
        var rate = 1.0
        var burst = 10.0
        /// Whether the burst is granted only once, at the first contact.
        var oneTimeBurst = false
    }
}

/// The behaviour of a service that is not a sandbox on this machine. The pages have another host, port and paths than the API.
/// All addresses are absolute. rest-v2.md §1.3, S1.
struct ForeignManners: Sendable {
    /// The prefix of the paths of all pages, such as `/enter`.
    var prefix = "/enter"
    /// Whether a denial has an empty answer, as in versions of the service before 3.9.
    var emptyAnswers = false
}

// Reads the `settings` object of the catalogue.

extension Settings {
    private static var flags: KeyValuePairs<String, WritableKeyPath<Settings, Bool>> {
        [
            "strict": \.strict, "tokenStatusOK": \.tokenStatusOK, "createdAtInSeconds": \.createdAtInSeconds,
            "omitScopes": \.omitScopes, "omitTokenID": \.omitTokenID, "trustFirstUse": \.trustFirstUse,
            "bindToClient": \.bindToClient, "deviceSignOn": \.deviceSignOn, "splitCommas": \.splitCommas,
            "anyRedirect": \.anyRedirect,
        ]
    }

    private static var times: KeyValuePairs<String, WritableKeyPath<Settings, Duration>> {
        [
            "sessionLifetime": \.sessionLifetime, "accessTokenLifetime": \.accessTokenLifetime,
            "mediaTokenLifetime": \.mediaTokenLifetime, "degradedLifetime": \.degradedLifetime,
            "serviceTokenLifetime": \.serviceTokenLifetime, "linkLifetime": \.linkLifetime,
            "denialLifetime": \.denialLifetime,
        ]
    }

    static var names: [String] {
        flags.map(\.key) + times.map(\.key) + [
            "throttle", "clientLifetime", "refuseRegistration", "metadataPadding", "decisionMetadata", "foreign",
        ]
    }

    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members(Self.names)
        for (name, place) in Self.flags {
            if let child = node.optional(name) { self[keyPath: place] = try child.bool() }
        }
        for (name, place) in Self.times {
            if let child = node.optional(name) { self[keyPath: place] = try child.duration() }
        }
        clientLifetime = try node.optional("clientLifetime")?.duration()
        refuseRegistration = try node.optional("refuseRegistration")?.choice(RegistrationError.self).rawValue
        if let child = node.optional("metadataPadding") { metadataPadding = try child.choice(RSAPadding.self) }
        decisionMetadata = try node.optional("decisionMetadata")?.choice(DecisionMetadata.self)
        if let child = node.optional("foreign") { foreign = try ForeignManners(child) }
        if let child = node.optional("throttle") {
            try child.members("rate", "burst", "oneTimeBurst")
            if let rate = child.optional("rate") { throttle.rate = try rate.number(0.001...1_000_000) }
            if let burst = child.optional("burst") { throttle.burst = Double(try burst.int(0...100_000)) }
            if let once = child.optional("oneTimeBurst") { throttle.oneTimeBurst = try once.bool() }
        }
    }
}

extension ForeignManners {
    init(_ node: CatalogueNode) throws(CatalogueError) {
        try node.members("prefix", "emptyAnswers")
        if let child = node.optional("prefix") {
            let text = try child.string()
            let isPath = text.hasPrefix("/") && text.utf8.count > 1 && text.last != "/" && !text.contains("//")
            guard isPath,
                text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || $0 != UInt8(ascii: ".") && isIdentifierByte($0) })
            else {
                throw child.fail("should be a path such as /enter")
            }
            prefix = text
        }
        if let child = node.optional("emptyAnswers") { emptyAnswers = try child.bool() }
    }
}
