// A disk that fails on a test's request. A layer between SQLite and its own file access injects faults. Only files in a
// folder called `faulty` are affected.

import CSQLite
import Glibc
import PassTestTools
import Synchronization

enum FaultyDisk {
    enum Fault: Sendable { case reading, readingFrom(Int64), writing, syncing, syncingDatabase, noRoomForDraft }

    static let folder = "faulty"
    /// The faults by the path of the folder, so that parallel tests have separate disks.
    private static let faults = Mutex<[String: Fault]>([:])
    /// The paths of the open files.
    private static let paths = Mutex<[UInt: String]>([:])
    private static let synced = Mutex<[String]>([])
    private static let isReady: Bool = install()
    /// The methods of a database. A log has other methods, because it is not locked.
    nonisolated(unsafe) private static let databaseMethods = room(for: sqlite3_io_methods())
    nonisolated(unsafe) private static let otherMethods = room(for: sqlite3_io_methods())
    nonisolated(unsafe) private static let inner = room(for: sqlite3_io_methods())
    nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?
    /// Whether the methods are set. They are the same for all files, and must not be written while other tests use
    /// them.
    private static let isWrapped = Mutex<(database: Bool, other: Bool)>((false, false))

    /// Sets the fault of this test's disk; nil repairs it.
    static func become(_ fault: Fault?, in directory: TemporaryDirectory) {
        guard isReady else { return }
        faults.withLock { $0[directory.path + "/" + folder] = fault }
    }

    /// The names of the synced files in this folder, in order.
    static func syncs(in folder: String) -> [String] {
        synced.withLock { $0.filter { $0.hasPrefix(folder + "/") } }.map { String($0.dropFirst(folder.count + 1)) }
    }

    private static func path(of file: UnsafeMutablePointer<sqlite3_file>?) -> String {
        paths.withLock { $0[UInt(bitPattern: file)] } ?? ""
    }

    private static func fault(of path: String) -> Fault? {
        faults.withLock { faults in faults.first { path.hasPrefix($0.key + "/") }?.value }
    }

    private static func install() -> Bool {
        guard let found = sqlite3_vfs_find(nil) else { return false }
        system = found
        let shim = room(for: found.pointee)
        shim.pointee.zName = strdup("passd-tests").map { UnsafePointer($0) }
        shim.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let system = FaultyDisk.system, let open = system.pointee.xOpen else { return SQLITE_CANTOPEN }
            let code = open(system, name, file, flags, outFlags)
            guard code == SQLITE_OK, let file, let name, String(cString: name).contains("/\(FaultyDisk.folder)/"),
                let methods = file.pointee.pMethods
            else { return code }
            FaultyDisk.paths.withLock { $0[UInt(bitPattern: file)] = String(cString: name) }
            let isDatabase = flags & SQLITE_OPEN_MAIN_DB != 0
            let wrapped = isDatabase ? FaultyDisk.databaseMethods : FaultyDisk.otherMethods
            FaultyDisk.isWrapped.withLock { done in
                if isDatabase ? done.database : done.other { return }
                FaultyDisk.wrap(methods, wrapped)
                if isDatabase { done.database = true } else { done.other = true }
            }
            file.pointee.pMethods = UnsafePointer(wrapped)
            return code
        }
        return sqlite3_vfs_register(shim, 1) == SQLITE_OK
    }

    /// Memory that is never freed. A variable would be too small for the address sanitizer. Swift copies the padding of
    /// a C structure, but a variable has no room for the padding.
    private static func room<Structure>(for value: Structure) -> UnsafeMutablePointer<Structure> {
        let place = UnsafeMutablePointer<Structure>.allocate(capacity: 1)
        place.initialize(to: value)
        return place
    }

    private static func wrap(
        _ original: UnsafePointer<sqlite3_io_methods>, _ wrapped: UnsafeMutablePointer<sqlite3_io_methods>
    ) {
        inner.pointee = original.pointee
        wrapped.pointee = original.pointee
        wrapped.pointee.xRead = { file, bytes, count, offset in
            switch FaultyDisk.fault(of: FaultyDisk.path(of: file)) {
            case .reading: return SQLITE_IOERR | 1 << 8
            case .readingFrom(let start) where offset >= start: return SQLITE_IOERR | 1 << 8
            default: return FaultyDisk.inner.pointee.xRead?(file, bytes, count, offset) ?? SQLITE_IOERR
            }
        }
        wrapped.pointee.xWrite = { file, bytes, count, offset in
            let path = FaultyDisk.path(of: file)
            switch FaultyDisk.fault(of: path) {
            case .writing: return SQLITE_IOERR | 3 << 8
            case .noRoomForDraft where path.hasSuffix(".new"): return SQLITE_FULL
            default: break
            }
            return FaultyDisk.inner.pointee.xWrite?(file, bytes, count, offset) ?? SQLITE_IOERR
        }
        wrapped.pointee.xSync = { file, flags in
            let path = FaultyDisk.path(of: file)
            switch FaultyDisk.fault(of: path) {
            case .syncing: return SQLITE_IOERR | 4 << 8
            case .syncingDatabase where path.hasSuffix(".db"): return SQLITE_IOERR | 4 << 8
            default: FaultyDisk.synced.withLock { $0.append(path) }
            }
            return FaultyDisk.inner.pointee.xSync?(file, flags) ?? SQLITE_IOERR
        }
        // Version 2 makes SQLite read pages one by one instead of mapping them.
        wrapped.pointee.iVersion = 2
    }
}
