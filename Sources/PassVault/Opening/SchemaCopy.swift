// A copy of a store of an older schema, made before the store is migrated. It gets its final name only after the
// migration, so that a kill leaves no half of a copy, and the next attempt makes no second one.

import CSQLite
import Glibc

struct SchemaCopy {
    private let builder: StoreBuilder
    private let stem: String
    private var draft: String { stem + ".new" }

    init(_ builder: StoreBuilder, version: Int) {
        self.builder = builder
        stem = builder.directory.database + ".schema-\(version)"
    }

    func make(of database: Database) throws(DatabaseFault) {
        remove()
        do throws(FileFault) { try makePrivateFile(draft) } catch {
            throw DatabaseFault(code: SQLITE_CANTOPEN, systemCode: error.code, doing: error.doing)
        }
        try database.run("VACUUM INTO ?", [.text(draft)])
        // SQLite does not sync the copy.
        let descriptor = open(draft, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else { throw builder.fault("saving a copy of the store") }
        builder.directory.sync()
    }

    func remove() { for suffix in SetAside.suffixes { unlink(draft + suffix) } }

    func keep() {
        guard access(draft, F_OK) == 0 else { return }
        rename(draft, SetAside(directory: builder.directory, now: builder.configuration.now()).freeName(stem))
        builder.directory.sync()
    }

    /// Names the copies that are left beside a migrated store because passd was killed before `keep`.
    static func keepAll(_ builder: StoreBuilder) {
        for version in 1..<max(2, builder.configuration.schema.version) { SchemaCopy(builder, version: version).keep() }
    }

    /// Removes unsealed copies beside a sealed store.
    static func removeUnsealed(_ builder: StoreBuilder) {
        guard builder.keyring.current != nil else { return }
        let folder = builder.directory.path
        let names = (try? FolderListing.names(in: folder)) ?? []
        let patience = Patience(Patience.examination)
        for name in names.filter({ $0.hasPrefix("passd.db.schema-") }).sorted().prefix(maxCopies) {
            let path = folder + "/" + name
            guard (try? PlainFile.check(path)) != nil, isUnsealed(path, builder, patience: patience) else { continue }
            unlink(path)
            builder.directory.sync()
        }
    }

    /// More than there are versions.
    private static let maxCopies = 16

    private static func isUnsealed(_ path: String, _ builder: StoreBuilder, patience: Patience) -> Bool {
        guard StoreSize.problem(ofLogsOf: path) == nil,
            let copy = try? Database(path, .existing, patience: patience)
        else { return false }
        defer { copy.abandon() }
        guard SchemaInspection(copy, builder.configuration.schema).ownTables.contains("about") else { return false }
        return (try? copy.value("SELECT value FROM about WHERE name = 'key'"))?.text == "none"
    }
}
