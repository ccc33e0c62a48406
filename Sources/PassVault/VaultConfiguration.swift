// What the composition root decides about the store.

import AccessEnabler

public struct VaultConfiguration: Sendable {
    /// `[storage] sealing`.
    public enum Sealing: Hashable, Sendable { case credential, none }
    /// `[storage] integrity-check`. Contract: access-enabler.md §5.2.
    public enum IntegrityCheck: Hashable, Sendable { case none, all, clear }

    /// Usually /var/lib/passd.
    public var directory: String
    public var sealing: Sealing
    /// The bytes of the systemd credential `passd.sealing-key`, where there is one; else a key file is used.
    public var credential: [UInt8]?
    /// For this start the key file beside a credential counts, and is done with when nothing is sealed under it any more. Said
    /// from where nobody who can write the directory can say it: the systemd credential `passd.key-file`.
    public var takesKeyFile = false
    public var integrityCheck = IntegrityCheck.none
    /// For the names of what is set aside.
    public var now: @Sendable () -> ServerTime

    var schema = StoreSchema.current
    var limits = VaultLimits()
    /// Between two attempts to bring an older store forward: each one writes a copy of it.
    var migrationRest = Duration.seconds(600)
    /// For a disk that is full where tests want it to be, in pages.
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
