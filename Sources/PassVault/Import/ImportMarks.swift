// Remembers which logins were imported or forgotten. Each mark is an empty file, because a power cut cannot leave a part of an
// empty file. Damage to one file does not affect the others. The files are beside the database, and stay when the database is
// set aside, erased or replaced. Owned by `LayoutImporter`. docs/storage-layouts.md.

import Glibc

struct ImportMarks {
    static let folder = "imported"
    /// The max number of marks. No household needs so many.
    static let maxMarks = 4096

    private let state: String
    private var path: String { state + "/" + Self.folder }
    private var names: Set<String>?

    init(in state: String) { self.state = state }

    /// Whether the mark with this name exists. Throws if the marks cannot be read, because without them nothing may be
    /// imported.
    mutating func contains(_ name: String) throws(FileFault) -> Bool { try known().contains(name) }

    mutating func hasRoom(for added: some Collection<String>) throws(FileFault) -> Bool {
        try known().union(added).count <= Self.maxMarks
    }

    /// Adds marks. They are on the disk when this returns.
    mutating func add(_ added: some Collection<String>) throws(FileFault) {
        let missing = try Set(added).subtracting(known())
        guard !missing.isEmpty else { return }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileFault("creating \(path)") }
        // This also syncs a folder that an interrupted attempt has made.
        if try known().isEmpty { try sync(state) }
        for name in missing.sorted() { try make(path + "/" + name) }
        try sync(path)
        names = try known().union(missing)
    }

    private mutating func known() throws(FileFault) -> Set<String> {
        if let names { return names }
        var status = stat()
        let found: Set<String>
        if lstat(path, &status) == 0 {
            found = Set(try FolderListing.names(in: path))
            // If passd was killed before, some marks may never have been synced, and a power cut could still remove them.
            if !found.isEmpty {
                try sync(state)
                try sync(path)
            }
        } else {
            guard errno == ENOENT else { throw FileFault("examining \(path)") }
            found = []
        }
        names = found
        return found
    }

    private func make(_ path: String) throws(FileFault) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("creating \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault("creating \(path)") }
    }

    private func sync(_ path: String) throws(FileFault) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault("opening \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault("syncing \(path)") }
    }
}
