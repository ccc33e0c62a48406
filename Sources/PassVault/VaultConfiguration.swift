// What the composition root tells the vault about the store.

import AccessEnabler

public struct VaultConfiguration: Sendable {
    /// `[storage] sealing`.
    public enum Sealing: Hashable, Sendable { case credential, none }
    /// `[storage] integrity-check`. Contract: access-enabler.md §5.2.
    public enum IntegrityCheck: Hashable, Sendable { case none, all, clear }

    /// Usually /var/lib/passd.
    public var directory: String
    public var sealing: Sealing
    /// The bytes of the systemd credential `passd.sealing-key`; nil if there is none, and a key file is used.
    public var credential: [UInt8]?
    /// Accept the key file beside a credential for this start; it is removed once nothing is sealed under it. It is
    /// requested by the systemd credential `passd.key-file`, which nobody who can only write the directory can set.
    public var takesKeyFile = false
    public var integrityCheck = IntegrityCheck.none
    /// The date for the names of files that are set aside.
    public var now: @Sendable () -> ServerTime

    var schema = StoreSchema.current
    var limits = VaultLimits()
    /// The pause between attempts to migrate an older store; each one writes a copy of it.
    var migrationRest = Duration.seconds(600)
    /// The size limit of the database in pages, with which tests simulate a full disk.
    var pageLimit: Int?

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
