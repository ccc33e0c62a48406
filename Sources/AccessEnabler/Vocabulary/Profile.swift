// A completed login, as the service describes it, with the viewer's metadata. Contract: rest-v2.md §9.

public import PassJSON

public struct Profile: Hashable, Sendable {
    /// The kind of login. The service may add kinds; an unknown kind is kept under its name.
    public enum Kind: Hashable, Sendable {
        case regular, platformSSO, serviceTokenSSO, appleSSO, degraded, temporary
        case other(String)

        private static let names: [(kind: Kind, name: String)] = [
            (.regular, "regular"), (.platformSSO, "platformSSO"), (.serviceTokenSSO, "serviceTokenSSO"),
            (.appleSSO, "appleSSO"), (.degraded, "degraded"), (.temporary, "temporary"),
        ]

        public init(_ name: String) { self = Self.names.first { $0.name == name }?.kind ?? .other(name) }

        /// The name that the service and the store use. It does not change when the names in this code change.
        public var name: String {
            if case .other(let name) = self { name } else { Self.names.first { $0.kind == self }?.name ?? "" }
        }
    }

    /// One value of user metadata. An encrypted value is passed on unchanged, because only the programmer (the company that
    /// owns the channels) has the key.
    public struct Attribute: Hashable, Sendable {
        /// The service's value, in its canonical form.
        public var value: JSONValue
        public var isEncrypted: Bool

        public init(value: JSONValue, isEncrypted: Bool) {
            self.value = value
            self.isEncrypted = isEncrypted
        }

        /// Leaves out the value, because JSON values have no hash. Equal attributes still have equal hashes.
        public func hash(into hasher: inout Hasher) { hasher.combine(isEncrypted) }
    }

    public var provider: ProviderID
    public var kind: Kind
    public var issuer: String
    public var notBefore: ServerTime
    public var notAfter: ServerTime
    public var attributes: [String: Attribute]
    /// The identity of the viewer for a promotional temporary pass, as the app has sent it. The service asks for it with
    /// each play. Contract: rest-v2.md §3.9.
    public var temporaryIdentity: [String: String]

    public init(
        provider: ProviderID, kind: Kind, issuer: String, notBefore: ServerTime, notAfter: ServerTime,
        attributes: [String: Attribute], temporaryIdentity: [String: String] = [:]
    ) {
        self.provider = provider
        self.kind = kind
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.attributes = attributes
        self.temporaryIdentity = temporaryIdentity
    }
}

extension Profile {
    /// The date on which the login ends. All checks, alarms, answers and reports use it.
    public var end: ServerTime { notAfter }

    /// Returns this login. If it is a temporary pass without an identity of the viewer, the returned login has `identity`.
    func identified(by identity: [String: String]?) -> Profile {
        guard kind == .temporary, temporaryIdentity.isEmpty, let identity else { return self }
        var profile = self
        profile.temporaryIdentity = identity
        return profile
    }

    var userID: JSONValue? { attributes["userID"]?.value }

    /// Whether both profiles describe the same login, perhaps as read at different times. A missing user ID counts as equal,
    /// because the service names the viewer only sometimes.
    func isSameLogin(as other: Profile) -> Bool {
        provider == other.provider && notAfter == other.notAfter
            && (userID == nil || other.userID == nil || userID == other.userID)
    }

    /// Returns the login as the service describes it now, with facts of the stored login `former` that an answer may omit.
    /// These facts are the viewer's identity for a temporary pass and, if both profiles describe the same login, metadata from
    /// decisions and earlier answers.
    func keepingFacts(of former: Profile?) -> Profile {
        let profile = identified(by: former?.temporaryIdentity)
        guard let former, former.notAfter == notAfter, former.userID == userID else { return profile }
        var whole = profile
        whole.attributes = former.attributes.merging(attributes) { $1 }
        return whole.excess == nil ? whole : profile
    }

    /// The exceeded limit, in words; nil if there is none.
    public var excess: String? {
        let texts = [("name of a provider", provider.rawValue), ("type of a login", kind.name), ("issuer", issuer)]
        if let excess = ValueLimits.excess(texts) { return excess }
        if attributes.values.contains(where: { !$0.value.isShallow(ValueLimits.depth) }) {
            return "the user metadata is nested deeper than \(ValueLimits.depth) levels"
        }
        // Each attribute becomes `"name":{"encrypted":true,"value":…},`.
        let identity = temporaryIdentity.reduce(64) { $0 + $1.key.jsonSize + $1.value.jsonSize + 2 }
        let size = attributes.reduce(identity) { $0 + $1.key.jsonSize + 32 + $1.value.value.jsonSize }
        return ValueLimits.excess("the user metadata takes up", size)
    }
}

extension Profile.Kind {
    /// The reason why the service lets the viewer in with a login of this kind.
    var reason: LoginReason {
        switch self {
        case .degraded: .degraded
        case .temporary: .temporary
        case .platformSSO, .serviceTokenSSO: .signOn
        case .regular, .appleSSO, .other: .regular
        }
    }
}

extension JSONValue {
    /// The value in the form in which the engine keeps user metadata: equal values have equal texts. If members have the
    /// same name, the first counts. Nil if a number is too large.
    public var canonical: JSONValue? {
        switch self {
        case .null, .bool, .string: return self
        case .number(let number):
            guard let number = number.double else { return nil }
            return Int64(exactly: number).map { JSONValue.int($0) } ?? JSONNumber(number).map(JSONValue.number)
        case .array(let items):
            let values = items.compactMap(\.canonical)
            return values.count == items.count ? .array(values) : nil
        case .object(let object):
            let members = Dictionary(object.members.map { ($0.name, $0.value) }) { first, _ in first }
            let values = members.compactMapValues(\.canonical).sorted { $0.key < $1.key }
            return values.count == members.count ? .object(JSONObject(values.map { ($0.key, $0.value) })) : nil
        }
    }

    /// Whether lists and objects are nested at most this deep.
    public func isShallow(_ levels: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array(let items): levels > 0 && items.allSatisfy { $0.isShallow(levels - 1) }
        case .object(let object): levels > 0 && object.members.allSatisfy { $0.value.isShallow(levels - 1) }
        }
    }

    /// The max size as JSON, in bytes.
    fileprivate var jsonSize: Int {
        switch self {
        case .null, .bool: 5
        case .number: 25
        case .string(let text): text.jsonSize
        case .array(let items): items.reduce(2) { $0 + $1.jsonSize + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.name.jsonSize + $1.value.jsonSize + 2 }
        }
    }
}
