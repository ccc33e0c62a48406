// The store's settings. The daemon passes them when it opens the vault.

public import AccessEnabler

public struct VaultConfiguration: Sendable {
    /// The setting `[storage] sealing`.
    public enum Sealing: Hashable, Sendable { case credential, none }
    /// The setting `[storage] integrity-check`. Contract: access-enabler.md §5.2.
    public enum IntegrityCheck: Hashable, Sendable { case none, all, clear }

    /// The state directory, usually /var/lib/passd.
    public var directory: String
    public var sealing: Sealing
    /// The contents of the systemd credential `passd.sealing-key`; nil means that a key file is used.
    public var credential: [UInt8]?
    /// Whether the key file opens values although there is a credential, for this start only. passd removes the key file when
    /// no value is sealed with its key. Only the systemd credential `passd.key-file` sets this, so that a program with write
    /// access to the directory cannot set it.
    public var takesKeyFile = false
    public var integrityCheck = IntegrityCheck.none
    /// Whether logins of the older library are imported.
    public var importsLogins = false
    /// The clock for the names of files that are set aside.
    public var now: @Sendable () -> ServerTime
    /// Called after each commit, with the fault if its changes are not on the disk.
    public var onCommit: @Sendable (VaultFault?) -> Void = { _ in }
    /// Called after a commit if the disk is back, but has the store of another device. The process has to end.
    public var onOtherDevice: @Sendable () -> Void = {}

    var schema = StoreSchema.ofProgram
    var limits = VaultLimits()
    /// The pause between two attempts to migrate an older store.
    var migrationRest = Duration.seconds(600)
    /// The max size of the database in pages. Tests use it to simulate a full disk.
    var pageLimit: Int?

    var copies: KeptCopies {
        KeptCopies(directory: StateDirectory(path: directory), version: schema.version, now: now())
    }

    public init(
        directory: String, sealing: Sealing = .credential, credential: [UInt8]? = nil,
        now: @escaping @Sendable () -> ServerTime
    ) {
        self.directory = directory
        self.sealing = sealing
        self.credential = credential
        self.now = now
    }
}
