// Tests the temporary loss of a disk. Once the disk is back, its contents and the changes in the meantime are merged,
// without a restart.

import AccessEnabler
import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassVault

@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt
@_silgen_name("setfsgid") private func setfsgid(_ group: gid_t) -> CInt

@Suite("architecture §5.5: a temporary fault is not damage", .serialized) struct RecoveryTests {
    let folder = TemporaryDirectory(inMemory: true)
    private static let everything = described(Samples.contents)

    // MARK: A disk that does not read or write

    func faulty() throws -> VaultConfiguration {
        try #require(mkdir(folder.path + "/" + FaultyDisk.folder, 0o700) == 0)
        var configuration = configuration(folder)
        configuration.directory = folder.path + "/" + FaultyDisk.folder
        FaultyDisk.become(nil, in: folder)
        return configuration
    }

    @Test(arguments: [FaultyDisk.Fault.reading, .readingFrom(4096), .readingFrom(16384)])
    func `a store that is unreadable at the start is kept, and its logins return once it can be read`(
        fault: FaultyDisk.Fault
    ) throws {
        let configuration = try faulty()
        let former = try Store(configuration)
        try former.commit(Samples.changes + Samples.crowd(60))
        former.close()
        let bytes = folder.read("faulty/passd.db")

        FaultyDisk.become(fault, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        let store = try Store(configuration)
        #expect(!store.health.isPersistent && store.codes == ["vault-disk-fault"])
        let answer = #expect(throws: VaultFault.self) {
            try store.commit([.profile(Samples.crowdKey(70), Samples.profile), .profile(Samples.crowdKey(3), nil)])
        }
        #expect(answer?.kind == .broken)
        #expect(!store.recover())
        #expect(folder.read("faulty/passd.db") == bytes)
        #expect(folder.names == ["faulty"])

        FaultyDisk.become(nil, in: folder)
        #expect(store.recover())
        #expect(store.health == VaultHealth(isPersistent: true, warnings: []))
        #expect(store.contents.profiles.count == 61)
        #expect(store.contents.profiles[Samples.crowdKey(3)] == nil)
        let expected = store.described
        store.close()
        #expect(try Store(configuration).described == expected)
    }

    @Test(arguments: [FaultyDisk.Fault.writing, .syncing])
    func `passd waits for a disk that fails during operation`(fault: FaultyDisk.Fault) throws {
        let configuration = try faulty()
        let store = try Store(configuration)
        try store.commit(Samples.changes + Samples.crowd(60))
        FaultyDisk.become(fault, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        let answer = #expect(throws: VaultFault.self) {
            try store.commit(Samples.crowd(60) + [.selection(Samples.requestor, nil)])
        }
        #expect(answer?.kind == .broken)
        #expect(store.contents.profiles.count == 61)
        FaultyDisk.become(nil, in: folder)
        try store.commit([.profile(Samples.crowdKey(0), nil)])
        #expect(store.health.isPersistent && store.codes == [])
        let expected = store.described
        #expect(store.contents.profiles.count == 60)
        store.close()
        #expect(try Store(configuration).described == expected)
    }

    // MARK: A store that cannot be written

    @Test(arguments: [false, true])
    func `a read-only database is kept and read, and used as soon as it is writable`(
        hasLog: Bool
    ) throws {
        let running = try Store(configuration(folder))
        try running.commit(Samples.changes + Samples.queue(2))
        if !hasLog { running.close() }
        let files = folder.copy()
        let expected = described((Samples.changes + Samples.queue(2)).contents)
        for name in files.names { try #require(chown(files.path + "/" + name, 65534, 65534) == 0 || geteuid() != 0) }
        try #require(chown(files.path, 65534, 65534) == 0 || geteuid() != 0)
        // The state after root has restored the files.
        files.setMode(of: "passd.db", to: 0o444)
        if geteuid() == 0 { try #require(chown(files.path + "/passd.db", 0, 0) == 0) }
        let bytes = files.read("passd.db")

        let store = try asSomebodyElse { try Store(configuration(files)) }
        #expect(!store.health.isPersistent && store.described == expected)
        #expect(store.codes.first == "vault-read-only")
        #expect(store.health.warnings.first?.message.contains("passd.db for writing") == true)
        #expect(store.health.warnings.first?.remedy.contains("chown") == true)
        let answer = asSomebodyElse { #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) } }
        #expect(answer?.kind == .readOnly)
        #expect(!asSomebodyElse { store.recover() })
        #expect(files.read("passd.db") == bytes)
        #expect(!files.names.contains { $0.contains("damaged") || $0.contains("unreadable") })

        if geteuid() == 0 { try #require(chown(files.path + "/passd.db", 65534, 65534) == 0) }
        files.setMode(of: "passd.db", to: 0o600)
        #expect(asSomebodyElse { store.recover() })
        #expect(store.health.isPersistent && !store.codes.contains("vault-read-only"))
        #expect(store.contents.profiles.count == 2)
        let described = store.described
        store.close()
        #expect(try Store(configuration(files)).described == described)
    }

    /// Runs `body` as another file-system user. `body` must not suspend, because the user is changed only for this
    /// thread.
    private func asSomebodyElse<R>(_ body: () throws -> R) rethrows -> R {
        guard geteuid() == 0 else { return try body() }
        _ = setfsgid(65534)
        _ = setfsuid(65534)
        defer {
            _ = setfsuid(0)
            _ = setfsgid(0)
        }
        return try body()
    }

    // MARK: A key that returns

    @Test func `changes without the key and the contents of the store are merged once the store can be read`() throws {
        try fill(folder)
        let key = folder.read("passd.key")
        folder.remove("passd.key")
        folder.link("passd.key", to: "/nowhere")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-unreadable"])
        for change in Samples.crowd(2) + [.deviceKey(Secret("makeshift")), .selection(Samples.requestor, nil)] {
            #expect(throws: VaultFault.self) { try store.commit([change]) }
        }
        folder.remove("passd.key")
        folder.write(key, to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)

        #expect(store.recover())
        #expect(store.health == VaultHealth(isPersistent: true, warnings: []))
        #expect(store.contents.profiles.count == 3 && store.contents.selections.isEmpty)
        #expect(store.contents.deviceKey?.reveal() == "hush-device-key")
        let expected = store.described
        store.close()
        #expect(try Store(configuration(folder)).described == expected)
    }

    @Test func `logins of another device do not count, even if the store becomes readable later`() throws {
        try fill(folder)
        let key = folder.read("passd.key")
        folder.remove("passd.key")
        folder.link("passd.key", to: "/nowhere")
        let store = try Store(configuration(folder))
        let device = DeviceID(rawValue: "another box")
        #expect(throws: VaultFault.self) { try store.commit([.device(device)]) }
        folder.remove("passd.key")
        folder.write(key, to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)
        #expect(store.recover())
        #expect(store.contents.profiles.isEmpty && store.contents.tombstones.isEmpty)
        store.close()
        let next = try Store(configuration(folder))
        #expect(next.contents.profiles.isEmpty && next.contents.device == device)
    }

    @Test func `a newer store is not touched, even after many attempts`() throws {
        var newer = configuration(folder)
        newer.schema = .secondTrial
        let former = try Store(newer)
        try former.commit(Samples.changes)
        former.close()
        let bytes = folder.read("passd.db")
        let store = try Store(configuration(folder))
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) }
        #expect(!store.recover() && folder.read("passd.db") == bytes)
    }

    // MARK: Other things in place of files

    enum Thing: CaseIterable, Sendable { case pipe, folder, device, socket }

    @Test(
        arguments: ["passd.db", "passd.db-wal", "passd.db-journal", "passd.key", "passd.lock", "salt"], Thing.allCases)
    func `a special file is refused at once, and reported until it is removed`(
        name: String, thing: Thing
    ) throws {
        try fill(folder)
        let former = folder.read(name)
        folder.remove(name)
        guard try make(thing, name) else { return }
        let store = try Store(configuration(folder))
        #expect(!store.health.isPersistent)
        #expect(store.health.warnings.contains { $0.message.contains(folder.path + "/" + name) }, "\(store.codes)")
        #expect(throws: VaultFault.self) { try store.commit(Samples.queue(1)) }

        if thing == .folder { rmdir(folder.path + "/" + name) } else { folder.remove(name) }
        if !former.isEmpty {
            folder.write(former, to: name)
            folder.setMode(of: name, to: 0o600)
        }
        #expect(store.recover(), "\(store.codes)")
        // Without the salt, the box was another device.
        let added = name == "salt" ? [] : Samples.queue(1)
        #expect(store.health.isOtherDevice == (name == "salt"))
        #expect(store.described == described((Samples.changes + added).contents))
        #expect(store.codes == [])
    }

    @Test(
        arguments: ["passd.db.replacement", "passd.db.returning", "passd.db.new", "passd.db.mark", "passd.probe"],
        Thing.allCases)
    func `special files with other names neither delay the start nor lose a login`(name: String, thing: Thing) throws {
        try fill(folder)
        folder.remove(name)
        guard try make(thing, name) else { return }
        let store = try Store(configuration(folder))
        #expect(store.described == Self.everything)
        if name != "passd.probe" || thing != .folder { #expect(store.health.isPersistent, "\(store.codes)") }
    }

    /// The disk does not even report which files exist.
    @Test func `a store whose name cannot be resolved is not replaced by an empty store`() throws {
        try fill(folder)
        let former = folder.read("passd.db")
        folder.remove("passd.db")
        folder.link("passd.db", to: "passd.db")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-unreachable"] && !store.health.isPersistent)
        folder.remove("passd.db")
        folder.write(former, to: "passd.db")
        #expect(store.recover())
        #expect(store.described == Self.everything && store.codes == [])
    }

    @Test func `a vault without a disk recovers on request`() async throws {
        folder.link("passd.key", to: "/nowhere")
        let vault: any TokenVault = try await Vault.open(configuration(folder))
        await #expect(throws: VaultFault.self) { try await vault.commit([]) }
        folder.remove("passd.key")
        try await vault.commit([])
        #expect(await vault.health().isPersistent)
    }

    /// The registrar commits each change only once, so the vault tells the engine about the fault.
    @Test func `a vault reports each commit that its disk lacks, and a later commit without changes writes it`()
        async throws
    {
        folder.link("passd.key", to: "/nowhere")
        let faults = Mutex<[VaultFault?]>([])
        var observed = configuration(folder)
        observed.onCommit = { fault in faults.withLock { $0.append(fault) } }
        let vault = try await Vault.open(observed)
        for _ in 0..<2 { await #expect(throws: VaultFault.self) { try await vault.commit(Samples.changes) } }
        #expect(faults.withLock { $0.map { $0?.rows.count } } == [7, 7])
        #expect(await vault.health().lacksChanges)
        folder.remove("passd.key")
        try await vault.commit([])
        #expect(faults.withLock { $0.count == 3 && $0[2] == nil })
        let health = await vault.health()
        #expect(health.isPersistent && !health.lacksChanges)
        await vault.close()
        #expect(try Store(configuration(folder)).described == Self.everything)
    }

    @Test func `an erasure that fails at the start is repeated by the next commit`() async throws {
        try #require(mkdir(folder.path + "/" + FaultyDisk.folder, 0o700) == 0)
        var timed = configuration(folder)
        timed.directory = folder.path + "/" + FaultyDisk.folder
        FaultyDisk.become(nil, in: folder)
        let former = try Store(timed)
        try former.commit(Samples.changes)
        former.close()

        timed.integrityCheck = .clear
        FaultyDisk.become(.syncing, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        let vault = try await Vault.open(timed)
        #expect(await vault.load().profiles.isEmpty)
        let health = await vault.health()
        #expect(!health.isPersistent && health.lacksChanges)
        FaultyDisk.become(nil, in: folder)
        try await vault.commit([])
        #expect(await vault.health().isPersistent)
        await vault.close()
        timed.integrityCheck = .none
        #expect(try Store(timed).contents.profiles.isEmpty)
    }

    @Test(arguments: ["passd.db.replacement", "passd.db.returning"], ["rubbish", "", "another program's"])
    func `only a valid replacement replaces the store`(name: String, what: String) throws {
        try fill(folder)
        if what == "another program's" {
            let database = try Database(folder.path + "/" + name, .orNew)
            try database.run("CREATE TABLE profile (x)")
            database.abandon()
        } else {
            folder.write(Array(what.utf8), to: name)
        }
        let store = try Store(configuration(folder))
        #expect(store.described == Self.everything && store.health.isPersistent)
        #expect(!folder.names.contains(name))
        store.close()
        #expect(try Store(configuration(folder)).codes == ["vault-set-aside"])
    }

    private func make(_ thing: Thing, _ name: String) throws -> Bool {
        let path = folder.path + "/" + name
        switch thing {
        case .pipe: return mkfifo(path, 0o600) == 0
        case .folder: return mkdir(path, 0o700) == 0
        // Without the right to create a device, the case cannot occur on a real box either.
        case .device: return mknod(path, S_IFCHR | 0o600, 0x0105) == 0
        case .socket: return mknod(path, S_IFSOCK | 0o600, 0) == 0
        }
    }
}
