// A disk that reads or writes nothing when a test says so: SQLite's own way to the files, with faults of ours in front of it.
// Only files in a folder called `faulty` are behind it.

import CSQLite
import Glibc
import Synchronization

enum FaultyDisk {
    enum Fault: Sendable { case reading, readingFrom(Int64), writing, syncing }

    static let folder = "faulty"
    private static let state = Mutex<Fault?>(nil)
    private static let isReady: Bool = install()
    /// A log is not locked as a database is.
    nonisolated(unsafe) private static var databaseMethods = sqlite3_io_methods()
    nonisolated(unsafe) private static var otherMethods = sqlite3_io_methods()
    nonisolated(unsafe) private static var inner = sqlite3_io_methods()
    nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?

    /// Nil mends it.
    static func become(_ fault: Fault?) {
        guard isReady else { return }
        state.withLock { $0 = fault }
    }

    private static func install() -> Bool {
        guard let found = sqlite3_vfs_find(nil) else { return false }
        system = found
        // SQLite keeps it. No variable: Swift copies the structure's padding too, and a variable has no room for that.
        let shim = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        shim.initialize(to: found.pointee)
        shim.pointee.zName = strdup("passd-tests").map { UnsafePointer($0) }
        shim.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let system = FaultyDisk.system, let open = system.pointee.xOpen else { return SQLITE_CANTOPEN }
            let code = open(system, name, file, flags, outFlags)
            guard code == SQLITE_OK, let file, let name, String(cString: name).contains("/\(FaultyDisk.folder)/"),
                let methods = file.pointee.pMethods
            else { return code }
            if flags & SQLITE_OPEN_MAIN_DB != 0 {
                FaultyDisk.databaseMethods = FaultyDisk.wrapped(methods.pointee)
                withUnsafePointer(to: &FaultyDisk.databaseMethods) { file.pointee.pMethods = $0 }
            } else {
                FaultyDisk.otherMethods = FaultyDisk.wrapped(methods.pointee)
                withUnsafePointer(to: &FaultyDisk.otherMethods) { file.pointee.pMethods = $0 }
            }
            return code
        }
        return sqlite3_vfs_register(shim, 1) == SQLITE_OK
    }

    private static func wrapped(_ original: sqlite3_io_methods) -> sqlite3_io_methods {
        inner = original
        var wrapped = original
        wrapped.xRead = { file, bytes, count, offset in
            switch FaultyDisk.state.withLock({ $0 }) {
            case .reading: return SQLITE_IOERR | 1 << 8
            case .readingFrom(let start) where offset >= start: return SQLITE_IOERR | 1 << 8
            default: return FaultyDisk.inner.xRead?(file, bytes, count, offset) ?? SQLITE_IOERR
            }
        }
        wrapped.xWrite = { file, bytes, count, offset in
            if case .writing = FaultyDisk.state.withLock({ $0 }) { return SQLITE_IOERR | 3 << 8 }
            return FaultyDisk.inner.xWrite?(file, bytes, count, offset) ?? SQLITE_IOERR
        }
        wrapped.xSync = { file, flags in
            if case .syncing = FaultyDisk.state.withLock({ $0 }) { return SQLITE_IOERR | 4 << 8 }
            return FaultyDisk.inner.xSync?(file, flags) ?? SQLITE_IOERR
        }
        // Pages are asked for one by one, not looked at in memory.
        wrapped.iVersion = 2
        return wrapped
    }
}
