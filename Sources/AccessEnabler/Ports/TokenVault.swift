// The port by which the engine remembers things. The vault is read once, at start; from then on the engine answers from
// memory (`Logins/Memory`) and hands every change to the vault before it answers the call that made it. The vault works
// on a queue of its own: its methods may be called from any task, and the engine calls `commit` one at a time.
// Architecture §3, §5.

public protocol TokenVault: Sendable {
    /// Everything that can be read. What cannot is set aside and told in the health, never a reason not to start.
    func load() async -> VaultContents
    /// Durable when it returns, all of it or nothing. A vault that has lost its disk keeps the changes in memory, and
    /// throws: they are written with the next commit that gets through.
    func commit(_ changes: [VaultChange]) async throws(VaultFault)
    /// Whether changes reach a disk, and what operators have to be told about the store.
    func health() async -> VaultHealth
    /// Whether something can be written and read back, and everything that is there has its proper form.
    /// Contract: access-enabler.md §5.2.
    func examine() async -> Bool
    /// Tries to have the disk again, where the vault has lost it. True when it is there again: then `load` may hold
    /// more than before, for something could not be read until now.
    func recover() async -> Bool
}

extension TokenVault {
    public func recover() async -> Bool { false }
}

/// Everything that is remembered.
public struct VaultContents: Sendable {
    public var device: DeviceID?
    /// What the box signs with, as PEM. Contract: rest-v2.md §12.1.
    public var deviceKey: Secret?
    public var registrations: [RegistrationKey: StoredRegistration] = [:]
    public var selections: [RequestorID: Selection] = [:]
    public var profiles: [ProfileKey: Profile] = [:]
    public var openLogins: [LoginKey: OpenLogin] = [:]
    /// Logouts that the service has not heard of yet.
    public var tombstones: Set<ProfileKey> = []

    public init() {}
}

/// What a row is to hold from now on; nil: the row goes.
public enum VaultChange: Sendable {
    case device(DeviceID)
    case deviceKey(Secret)
    case registration(RegistrationKey, StoredRegistration?)
    case selection(RequestorID, Selection?)
    case profile(ProfileKey, Profile?)
    case openLogin(LoginKey, OpenLogin?)
    /// A logout that the service has not heard of yet: no answer of it may revive the login.
    case tombstone(ProfileKey, Bool)
}

extension VaultContents {
    /// What a change means in memory.
    public mutating func apply(_ change: VaultChange) {
        switch change {
        case .device(let device): self.device = device
        case .deviceKey(let key): deviceKey = key
        case .registration(let key, let value): registrations[key] = value
        case .selection(let key, let value): selections[key] = value
        case .profile(let key, let value): profiles[key] = value
        case .openLogin(let key, let value): openLogins[key] = value
        case .tombstone(let key, true): tombstones.insert(key)
        case .tombstone(let key, false): tombstones.remove(key)
        }
    }
}

/// Why a commit failed.
public struct VaultFault: Error, Hashable, Sendable {
    /// `limit` is the store's own bound, not the disk's: a row that it does not take now costs itself, and others none.
    public enum Kind: Hashable, Sendable { case full, readOnly, limit, broken }

    public var kind: Kind
    /// For the log; no secret is in it.
    public var explanation: String
    /// Of a `limit`: what is refused. Without it the others go through.
    public var rows: Set<VaultRow>

    public init(_ kind: Kind, _ explanation: String, at rows: Set<VaultRow> = []) {
        self.kind = kind
        self.explanation = explanation
        self.rows = rows
    }
}

/// What `passd.status` and `doctor` say about the store.
public struct VaultHealth: Hashable, Sendable {
    public struct Warning: Hashable, Sendable {
        /// Stable: tools act on it.
        public var code: String
        public var message: String
        public var remedy: String

        public init(code: String, message: String, remedy: String) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }

    public var isPersistent: Bool
    public var warnings: [Warning]

    public init(isPersistent: Bool, warnings: [Warning]) {
        self.isPersistent = isPersistent
        self.warnings = warnings
    }
}
