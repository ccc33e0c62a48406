// Acts on each finding about the store: uses the store as it is, migrates it, or makes a new store. A replaced store is set
// aside.

import AccessEnabler
import CSQLite
import Glibc

struct StoreMender {
    let builder: StoreBuilder
    /// Whether a key file existed, which means that there was a store before.
    let hadKey: Bool
    private var path: String { builder.directory.path }

    func mend(_ opened: inout OpenedStore, _ memory: KeptMemory?) {
        let former = StoreReturn(builder: builder)
        let mark = CommitMark.read(beside: builder.directory.database)
        do {
            SetAside(directory: builder.directory, now: builder.configuration.now()).undoHalfMove()
            try former.finish()
            if let name = try builder.finish("damaged") {
                opened.warnings.append(.damaged("its repair was interrupted", setAside: name, reading: StoreReading()))
            }
            // An interrupted first start leaves a draft, perhaps a key, and nothing else.
            let isGone = mark != nil || !builder.hasDraft && hadKey
            if access(builder.directory.database, F_OK) == 0 { builder.removeDraft() }
            try act(on: examine(), &opened, memory, isGone: isGone)
            if memory == nil, case .durable(let database) = opened.durability {
                if let loss = StoreNote.loss(database) {
                    opened.warnings.append(.lacking(loss, builder.directory.database))
                }
                if let mark, mark.owes, database.counter?.mark.store == mark.store {
                    opened.warnings.append(.changesLost)
                }
                builder.copies.removeOld()
            }
            if memory == nil { try former.take(&opened) }
            former.tidy(opened)
        } catch {
            opened.durability = .memory(MemoryReason(error, path))
        }
    }

    private func examine() -> Finding {
        Examination(schema: builder.configuration.schema, keyring: builder.keyring).examine(builder.directory.database)
    }

    private func act(
        on finding: Finding, _ opened: inout OpenedStore, _ memory: KeptMemory?, isGone: Bool
    ) throws(DatabaseFault) {
        switch finding {
        case .absent:
            opened.contents = memory?.contents ?? VaultContents()
            let isLost = isGone && memory?.isComplete != true
            opened.durability = .durable(try builder.create(opened.contents, isGone: isLost))
        case .sound(let database, let reading, let missing):
            let lacksNothing = missing == 0 || memory?.isComplete == true
            try take(
                database, reading: reading, opened: &opened, memory: memory,
                note: lacksNothing ? nil : .lacks(.changes(missing)))
        case .older(let database, let version): try migrate(database, from: version, opened: &opened, memory: memory)
        case .newer(let version):
            opened.durability = .memory(.newer(version, builder.copies))
        case .damaged(let reason, let reading):
            opened.contents = memory?.united(with: reading.contents) ?? reading.contents
            let (database, name) = try builder.rebuild(opened.contents, what: "damaged")
            opened.durability = .durable(database)
            opened.warnings.append(.damaged(reason, setAside: name, reading: reading))
            opened.lostLogins = reading.lostLogins
        case .unreachable(let fault, let reading):
            opened.contents = reading.contents
            throw fault
        }
    }

    private func take(
        _ database: Database, reading: StoreReading, opened: inout OpenedStore, memory: KeptMemory?,
        note: StoreNote? = nil
    ) throws(DatabaseFault) {
        opened.contents = reading.contents
        opened.isComplete = reading.problems.isEmpty
        guard !database.isReadOnly else {
            opened.durability = .memory(.readOnly("the database file is read-only", path))
            return
        }
        let keyName = try database.about("key") ?? ""
        let isOtherKey = !builder.keyring.knows(keyName)
        // Unreadable rows must not be overwritten, even if memory is complete.
        if !reading.problems.isEmpty {
            opened.contents = memory?.united(with: reading.contents) ?? reading.contents
            database.abandon()
            let (database, name) = try builder.rebuild(
                opened.contents, what: "unreadable", note: isOtherKey ? .waits : note)
            opened.durability = .durable(database)
            opened.warnings.append(isOtherKey ? .keyChanged(reading, name) : .rowsUnreadable(reading, name))
            // Logins sealed with another key are not lost, because they can be used when that key returns.
            if !isOtherKey { opened.lostLogins = reading.lostLogins }
            return
        }
        try builder.finish(database, note)
        opened.durability = .durable(database)
        let hasEarlierKey = keyName != builder.keyring.currentName
        if let memory { opened.contents = memory.united(with: opened.contents) }
        // This reseals values of an earlier key with the current key.
        if memory != nil || hasEarlierKey { try builder.replaceRows(opened.contents, in: database) }
        if hasEarlierKey { builder.copies.remove() }
    }

    private func migrate(
        _ database: Database, from version: Int, opened: inout OpenedStore, memory: KeptMemory?
    ) throws(DatabaseFault) {
        var reading = StoreReading()
        do throws(DatabaseFault) {
            try builder.finish(database)
            try builder.keepCopy(of: database, version: version)
            try database.commit { () throws(DatabaseFault) in
                try builder.configuration.schema.apply(to: database, from: version)
                reading = StoreReading(database, builder.keyring)
                if let fault = reading.faults.first { throw fault }
            }
        } catch {
            // The migration has failed, and the store is unchanged.
            opened.contents = StoreReading(database, builder.keyring).contents
            opened.durability = .memory(MemoryReason(.migration, .migrationFailed(error.explanation)))
            return
        }
        try take(database, reading: reading, opened: &opened, memory: memory)
    }
}
