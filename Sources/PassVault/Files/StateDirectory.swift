// The store's folder, with the names of its files. The folder has mode 0700 and its files 0600. Only one process writes to
// it. Contract: access-enabler.md §9.4, dcr.md §7.

import Glibc

struct StateDirectory: Sendable {
    let path: String

    var database: String { path + "/passd.db" }
    /// A store that is being written and is not complete yet.
    var draft: String { path + "/passd.db.new" }
    /// A complete store that will replace the present store.
    var replacement: String { path + "/passd.db.replacement" }
    /// A complete copy of a store that was set aside. It will become the store again.
    var returning: String { path + "/passd.db.returning" }
    var key: String { path + "/passd.key" }
    /// Random bytes that are part of the input for the sealing key and for the device's identity. Without this file, passd
    /// cannot open the store's sealed values, and the box is a new device.
    var salt: String { path + "/salt" }
    /// An empty file. If it exists, the device's identity does not depend on the salt, because logins imported from the older
    /// library need such an identity.
    var formerDevice: String { path + "/former-device" }
    var lock: String { path + "/passd.lock" }
    /// The last refusals and ends of logins, sealed. With them, passd can explain a refusal after a restart.
    var decisions: String { path + "/decisions" }

    /// Returns the salt of the device's identity: empty if `formerDevice` exists, otherwise the store's salt, which is `salt`.
    func deviceSalt(_ salt: [UInt8]) -> [UInt8] { access(formerDevice, F_OK) == 0 ? [] : salt }

    /// Makes the folder if it is missing. Returns false if other users can read the folder and this cannot be prevented.
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

    /// Whether there is a store that depends on a salt.
    var hasStore: Bool {
        var status = stat()
        return stat(database, &status) == 0 && status.st_size > 0
    }

    /// Tries to make a file here, because the mode and the mount options do not prove that this works.
    func checkWritable() throws(FileFault) {
        let probe = path + "/passd.probe"
        unlink(probe)
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("creating a file in \(path)") }
        Glibc.close(descriptor)
        unlink(probe)
    }

    /// Throws if one of the store's own files is not a regular file or is read-only. Such a store can still be read.
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

    /// Makes an empty draft before the key of a first store is made. Because of this order, a key without a store and without a
    /// draft means that the store was lost.
    func beginStore() {
        let traces = [database, database + CommitMark.suffix, key]
        guard traces.allSatisfy({ access($0, F_OK) != 0 }) else { return }
        do { try makePrivateFile(draft) } catch { return }
        sync()
    }

    /// Makes or replaces a file. It gets its name only when it is complete.
    func replace(_ path: String, with bytes: [UInt8], syncs: Bool) throws(FileFault) {
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("creating \(draft)") }
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && (!syncs || fsync(descriptor) == 0)
        let fault = FileFault("writing \(draft)")
        Glibc.close(descriptor)
        guard isWritten else {
            unlink(draft)
            throw fault
        }
        guard rename(draft, path) == 0 else {
            let fault = FileFault("renaming \(draft) to \(path)")
            unlink(draft)
            throw fault
        }
        if syncs { sync() }
    }

    /// Removes the file of decisions. When this returns, the removal is on the disk.
    func removeDecisions() {
        let isRemoved = unlink(decisions) == 0
        if unlink(decisions + ".new") == 0 || isRemoved { sync() }
    }

    /// Makes the creations, renames and removals in this folder durable.
    func sync() { syncFolder(path) }

    private func syncFolder(_ path: String) { syncFile(path.isEmpty ? "/" : path) }

    /// Syncs the file or folder. Returns true if it is on the disk.
    @discardableResult func syncFile(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        return fsync(descriptor) == 0
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

/// If the file does not exist, makes an empty file that only passd may read. SQLite gives its log the same mode.
func makePrivateFile(_ path: String) throws(FileFault) {
    try PlainFile.check(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFault("creating \(path)") }
    fchmod(descriptor, 0o600)
    close(descriptor)
}
