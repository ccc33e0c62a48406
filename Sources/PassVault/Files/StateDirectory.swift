// The directory that contains the store: mode 0700, its files 0600, with one writing process. Contract:
// access-enabler.md §9.4, dcr.md §7.

import Glibc

struct StateDirectory: Sendable {
    let path: String

    var database: String { path + "/passd.db" }
    /// A new store while it is being written.
    var draft: String { path + "/passd.db.new" }
    /// A complete new store that has yet to take the place of `database`.
    var replacement: String { path + "/passd.db.replacement" }
    /// A store that was set aside and has yet to take its place back; it is complete, too.
    var returning: String { path + "/passd.db.returning" }
    var key: String { path + "/passd.key" }
    var lock: String { path + "/passd.lock" }

    /// Creates the directory if it is missing. Returns false if other users can access it and that could not be
    /// changed.
    func prepare() throws(FileFault) -> Bool {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOENT else { throw FileFault("looking at \(path)") }
            try makeParents()
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFault("making \(path)") }
            syncFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            guard stat(path, &status) == 0 else { throw FileFault("looking at \(path)") }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFault("looking at \(path)", ENOTDIR) }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        return isOurs && (status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0)
    }

    /// Creates a file to test whether that is possible, since modes and mount options do not tell for certain.
    func checkWritable() throws(FileFault) {
        let probe = path + "/passd.probe"
        unlink(probe)
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("making a file in \(path)") }
        Glibc.close(descriptor)
        unlink(probe)
    }

    /// Checks that the store's files, as far as they exist, are regular files and writable. A read-only store is kept
    /// and read.
    func checkStore() throws(FileFault) {
        for path in SetAside.suffixes.map({ database + $0 }) {
            try PlainFile.check(path)
            let descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            guard descriptor < 0 else {
                Glibc.close(descriptor)
                continue
            }
            let fault = FileFault("opening \(path) for writing")
            if fault.isReadOnly { throw fault }
        }
    }

    /// Creates the draft before the key of a first store: a key without a store and without a draft then means that the
    /// store has disappeared.
    func beginStore() {
        let traces = [database, database + CommitMark.suffix, key]
        guard traces.allSatisfy({ access($0, F_OK) != 0 }) else { return }
        do { try makePrivateFile(draft) } catch { return }
        sync()
    }

    /// Makes changes of names durable: files that were created, renamed or removed in the directory.
    func sync() { syncFolder(path) }

    private func syncFolder(_ path: String) {
        let descriptor = open(path.isEmpty ? "/" : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }

    private func makeParents() throws(FileFault) {
        for index in path.indices.dropFirst() where path[index] == "/" {
            let parent = String(path[..<index])
            guard mkdir(parent, 0o755) == 0 || errno == EEXIST || access(parent, F_OK) == 0 else {
                throw FileFault("making \(parent)")
            }
        }
    }
}

/// Creates an empty file that only passd's user can read, unless it exists. SQLite gives its log the same mode.
func makePrivateFile(_ path: String) throws(FileFault) {
    try PlainFile.check(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFault("making \(path)") }
    fchmod(descriptor, 0o600)
    close(descriptor)
}
