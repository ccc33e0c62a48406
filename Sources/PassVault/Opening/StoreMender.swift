// What is done about each finding: nothing, the steps of the schema, or a new store beside which the old is set aside.

import AccessEnabler
import CSQLite
import Glibc

struct StoreMender {
    let builder: StoreBuilder
    private var path: String { builder.directory.path }

    func mend(_ opened: inout OpenedStore, _ memory: VaultContents?) {
        let former = StoreReturn(builder: builder)
        do {
            try former.finish()
            if let name = try builder.install("damaged") {
                opened.warnings.append(.damaged("mending it was interrupted", name, Reading()))
            }
            builder.removeDraft()
            try act(on: examine(), &opened, memory)
            if memory == nil { try former.take(&opened) }
            former.tidy(opened)
        } catch {
            opened.standing = .memory(MemoryReason(error, path))
            opened.contents = memory ?? opened.contents
        }
    }

    private func examine() -> Finding {
        Examination(schema: builder.configuration.schema, keyring: builder.keyring).examine(builder.directory.database)
    }

    private func act(on finding: Finding, _ opened: inout OpenedStore, _ memory: VaultContents?) throws(DatabaseFault) {
        switch finding {
        case .absent:
            let database = try builder.create()
            opened.standing = .durable(database)
            try bring(memory, to: database, &opened)
        case .sound(let database, let reading): try take(database, reading, &opened, memory)
        case .older(let database, let version): try migrate(database, from: version, &opened, memory)
        case .newer(let version):
            opened.standing = .memory(MemoryReason(.newer, .newer(version, builder.directory.database)))
        case .damaged(let reason, let reading):
            opened.contents = memory ?? reading.contents
            let (database, name) = try builder.rebuild(opened.contents, "damaged")
            opened.standing = .durable(database)
            opened.warnings.append(.damaged(reason, name, reading))
        case .unreachable(let fault): throw fault
        }
    }

    private func take(
        _ database: Database, _ reading: Reading, _ opened: inout OpenedStore, _ memory: VaultContents?
    ) throws(DatabaseFault) {
        opened.contents = reading.contents
        guard !database.isReadOnly else {
            opened.standing = .memory(.readOnly("the database file is read-only", path))
            return
        }
        let keyName = try database.value("SELECT value FROM about WHERE name = 'key'")?.text ?? ""
        let isOtherKey = !builder.keyring.knows(keyName)
        // Also where memory knows what to keep: rows that nobody could read are not to be overwritten.
        if !reading.problems.isEmpty {
            opened.contents = memory ?? reading.contents
            database.abandon()
            let (database, name) = try builder.rebuild(opened.contents, "unreadable", isOtherKey ? .waits : nil)
            opened.standing = .durable(database)
            opened.warnings.append(isOtherKey ? .keyChanged(reading, name) : .rowsUnreadable(reading, name))
            return
        }
        try builder.finish(database)
        opened.standing = .durable(database)
        try bring(memory, to: database, &opened)
        // What an earlier key sealed is sealed under the current one.
        if memory == nil, keyName != builder.keyring.currentName {
            try builder.replaceRows(reading.contents, in: database)
        }
    }

    private func migrate(
        _ database: Database, from version: Int, _ opened: inout OpenedStore, _ memory: VaultContents?
    )
        throws(DatabaseFault)
    {
        let setAside = SetAside(directory: builder.directory, now: builder.configuration.now())
        let backup = setAside.freeName(builder.directory.database + ".schema-\(version)")
        do throws(DatabaseFault) {
            try builder.finish(database)
            do throws(FileFault) { try makePrivateFile(backup) } catch {
                throw DatabaseFault(code: SQLITE_CANTOPEN, systemCode: error.code, doing: error.doing)
            }
            try database.run("VACUUM INTO ?", [.text(backup)])
            builder.directory.sync()
            try builder.configuration.schema.migrate(database, from: version)
        } catch {
            // The store is as it was; a copy at every start would fill the disk.
            unlink(backup)
            opened.standing = .memory(MemoryReason(.migration, .migrationFailed(error.explanation)))
            return
        }
        let reading = Reading(database, builder.keyring)
        try take(database, reading, &opened, memory)
    }

    private func bring(
        _ memory: VaultContents?, to database: Database, _ opened: inout OpenedStore
    )
        throws(DatabaseFault)
    {
        guard let memory else { return }
        opened.contents = memory
        try builder.replaceRows(memory, in: database)
    }
}
