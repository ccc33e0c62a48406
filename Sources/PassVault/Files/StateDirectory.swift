// The folder that holds the store: 0700, its files 0600, one writer. Contract: access-enabler.md §9.4, dcr.md §7.

import Glibc

struct StateDirectory: Sendable {
    let path: String

    var database: String { path + "/passd.db" }
    /// A store that is being written anew …
    var draft: String { path + "/passd.db.new" }
    /// … and one that is complete and only has to take its place.
    var replacement: String { path + "/passd.db.replacement" }
    /// One that was set aside and is to take its place back; complete as well.
    var returning: String { path + "/passd.db.returning" }
    var key: String { path + "/passd.key" }
    var lock: String { path + "/passd.lock" }

    /// Makes it where it is missing. False when others may look into it and that could not be changed.
    func prepare() throws(FileFault) -> Bool {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOENT else { throw FileFault("examining \(path)") }
            try makeParents()
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFault("creating \(path)") }
            syncFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            guard stat(path, &status) == 0 else { throw FileFault("examining \(path)") }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFault("examining \(path)", ENOTDIR) }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        return isOurs && (status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0)
    }

    /// Tries whether files can be made here, which no mode and no mount option tells for certain.
    func checkWritable() throws(FileFault) {
        let probe = path + "/passd.probe"
        unlink(probe)
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("creating a file in \(path)") }
        Glibc.close(descriptor)
        unlink(probe)
    }

    /// Whether the store's own files, where there are any, are files and can be written. One that can only be read is kept
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

    /// Before the key of a first store is made: a key without a store and without a draft means that the store is gone.
    func beginStore() {
        let traces = [database, database + CommitMark.suffix, key]
        guard traces.allSatisfy({ access($0, F_OK) != 0 }) else { return }
        do { try makePrivateFile(draft) } catch { return }
        sync()
    }

    /// Makes names durable: what was created, renamed or removed here.
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
                throw FileFault("creating \(parent)")
            }
        }
    }
}

/// Makes an empty file that only we may read, where there is none; SQLite gives its log the same mode.
func makePrivateFile(_ path: String) throws(FileFault) {
    try PlainFile.check(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFault("creating \(path)") }
    fchmod(descriptor, 0o600)
    close(descriptor)
}
