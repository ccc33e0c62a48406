// Always gives a usable store, whatever state the disk is in. The store is as it was, or repaired, or in memory only. Opening
// fails only if another process has the store open (`VaultInUse`). architecture.md §5.5.

import AccessEnabler
import CSQLite
import Glibc

struct OpenedStore {
    var lock: WriterLock?
    var keyring = Keyring(current: nil)
    /// The salt from the disk, or a random salt if the disk cannot be used.
    var salt: [UInt8]
    var durability: Durability
    var contents = VaultContents()
    /// Whether `contents` has everything that is on the disk.
    var isComplete = false
    var warnings: [VaultHealth.Warning] = []
    var restoredStore: RestoredStore?
    /// Whether the store on the disk belongs to one device, and the contents of memory belong to another.
    var isOtherDevice = false
    /// Logins that were lost because their rows were damaged.
    var lostLogins: Set<ProfileKey> = []
}

struct StoreOpener {
    let configuration: VaultConfiguration
    let directory: StateDirectory

    init(_ configuration: VaultConfiguration) {
        self.configuration = configuration
        directory = StateDirectory(path: configuration.directory)
    }

    func open(_ lock: WriterLock? = nil, keeping memory: KeptMemory? = nil) throws(VaultInUse) -> OpenedStore {
        var opened = OpenedStore(
            lock: lock, salt: memory?.salt ?? randomBytes(SecretFile.count) ?? [], durability: .closed)
        let mark = CommitMark.read(beside: directory.database)
        var fault: FileFault?
        do throws(FileFault) { try prepare(&opened) } catch { fault = error }
        if fault == nil, lock == nil { opened.lock = try WriterLock(directory) }
        if fault == nil { do throws(FileFault) { try openWritable(&opened, memory) } catch { fault = error } }
        if let fault { openReadOnly(&opened, reason: MemoryReason(fault, directory.path), memory: memory) }
        switch opened.durability {
        case .durable: opened.isComplete = true
        // passd warns if the mark says that changes were not written. No store is open, so passd cannot check whether the mark
        // belongs to this store. It warns anyway.
        case .memory: if memory == nil, mark?.owes == true { opened.warnings.append(.changesLost) }
        case .closed: break
        }
        return opened
    }

    private func prepare(_ opened: inout OpenedStore) throws(FileFault) {
        if try !directory.prepare() { opened.warnings.append(.directoryExposed(directory.path)) }
        try PlainFile.check(directory.lock)
    }

    private func openWritable(_ opened: inout OpenedStore, _ memory: KeptMemory?) throws(FileFault) {
        do throws(FileFault) { try directory.checkWritable() } catch {
            // A store on a full disk can still be read, and space may be freed later.
            guard error.isFull, access(directory.database, F_OK) == 0 else { throw error }
        }
        try directory.checkStore()
        let hasStore = directory.hasStore
        if memory == nil { directory.beginStore() }
        let saltFile = SecretFile(directory.salt, in: directory)
        switch saltFile.read() {
        case .secret(let salt, _): opened.salt = salt
        case .absent, .malformed:
            // After a reset, the folder `imported` exists and forbids imports.
            let marks = directory.path + "/" + ImportMarks.folder
            let importsDevice = !hasStore && configuration.importsLogins && access(marks, F_OK) != 0
            if memory.map(\.deviceSalt.isEmpty) ?? importsDevice { try makePrivateFile(directory.formerDevice) }
            opened.salt = try saltFile.create(opened.salt)
            if hasStore { opened.warnings.append(.saltMissing(directory.salt)) }
        case .unreadable(let fault):
            opened.warnings.append(.keyUnreadable(fault.explanation))
            opened.durability = .memory(MemoryReason(.noKey, nil))
            return
        }
        var memory = memory
        if let kept = memory, kept.deviceSalt != directory.deviceSalt(opened.salt) {
            opened.isOtherDevice = true
            memory = kept.forOtherDevice
        }
        var finder = KeyFinder(configuration, directory, salt: opened.salt)
        let keyring = try finder.find(canWrite: true)
        opened.warnings += finder.warnings
        guard let keyring else {
            opened.durability = .memory(MemoryReason(.noKey, nil))
            return
        }
        opened.keyring = keyring
        let earlier = SetAside(directory: directory, now: configuration.now()).newest
        let builder = StoreBuilder(configuration: configuration, directory: directory, keyring: keyring)
        StoreMender(builder: builder, hadKey: finder.foundFile).mend(&opened, memory)
        let left = earlier.filter { access(directory.path + "/" + $0, F_OK) == 0 }
        let timeLimit = ProcessorTimeLimit(ProcessorTimeLimit.examination)
        let stores = left.map {
            AsideStore($0, in: directory, schema: configuration.schema, keyring: keyring, timeLimit: timeLimit)
        }
        if let key = finder.replaced { retire(key, durability: opened.durability, aside: stores) }
        if !stores.isEmpty { opened.warnings.append(.setAside(stores, directory.path)) }
    }

    /// Removes the key file if no store needs its key. Checks the present store, its log, and the stores that were set aside.
    private func retire(_ key: SealingKey, durability: Durability, aside: [AsideStore]) {
        let name = Keyring(current: key).currentName
        guard case .durable(let database) = durability, !aside.contains(where: { $0.keyName == name }),
            (try? database.checkpoint()) != nil
        else { return }
        unlink(directory.key)
        directory.sync()
    }

    /// Reads a copy of the store, because the store cannot be opened for writing. The contents then are in memory only.
    private func openReadOnly(_ opened: inout OpenedStore, reason: MemoryReason, memory: KeptMemory?) {
        opened.durability = .memory(reason)
        guard memory == nil, access(directory.path, F_OK) == 0 else { return }
        if case .secret(let salt, _) = SecretFile(directory.salt, in: directory).read() { opened.salt = salt }
        var finder = KeyFinder(configuration, directory, salt: opened.salt)
        guard let keyring = (try? finder.find(canWrite: false)) ?? nil else {
            opened.warnings += finder.warnings
            opened.durability = .memory(MemoryReason(.noKey, reason.warning))
            return
        }
        opened.warnings += finder.warnings
        opened.keyring = keyring
        let copy = ScratchCopy(of: directory)
        defer { withExtendedLifetime(copy) {} }
        switch Examination(schema: configuration.schema, keyring: keyring).examine(copy.database) {
        case .absent:
            opened.isComplete = copy.fault == nil
            if let fault = copy.fault { opened.durability = .memory(.unreachable(fault.explanation, directory.path)) }
        case .sound(_, let reading, let missing):
            if missing > 0 { opened.warnings.append(.lacking(.changes(missing), directory.database)) }
            opened.contents = reading.contents
            opened.isComplete = reading.problems.isEmpty && copy.fault == nil
            if !reading.problems.isEmpty { opened.warnings.append(.rowsUnreadable(reading, nil)) }
        case .damaged(let damage, let reading):
            opened.contents = reading.contents
            opened.warnings.append(.damaged(damage, setAside: nil, reading: reading))
        case .newer(let version):
            opened.durability = .memory(.newer(version, configuration.copies))
        case .older(let database, let version):
            try? configuration.schema.migrate(database, from: version)
            opened.contents = StoreReading(database, keyring).contents
        case .unreachable(let fault, let reading):
            opened.contents = reading.contents
            opened.durability = .memory(MemoryReason(fault, directory.path))
        }
    }
}
