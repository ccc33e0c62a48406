// Notes which old tokens were handed out or forgotten, as empty files: a name exists or not, so a power cut leaves
// nothing incomplete, and damage to one mark costs no other. They are beside the database and not in it, because they
// must outlive a database that is set aside, erased or created anew. docs/storage-layouts.md.

import FoundationEssentials
import Glibc

struct ImportMarks {
    static let folder = "imported"
    /// A household needs far fewer marks.
    static let most = 4096

    private let state: String
    private var path: String { state + "/" + Self.folder }
    private var names: Set<String>?

    init(in state: String) { self.state = state }

    /// Throws if the marks cannot be read; then nothing may be handed out.
    mutating func contains(_ name: String) throws(FileFault) -> Bool { try known().contains(name) }

    mutating func hasRoom(for added: some Collection<String>) throws(FileFault) -> Bool {
        try known().union(added).count <= Self.most
    }

    /// The marks are durable on return.
    mutating func add(_ added: some Collection<String>) throws(FileFault) {
        let missing = try Set(added).subtracting(known())
        guard !missing.isEmpty else { return }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileFault("making \(path)") }
        // An earlier attempt may have created the directory without syncing it.
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
            guard let listed = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                throw FileFault("listing \(path)", EIO)
            }
            found = Set(listed)
        } else {
            guard errno == ENOENT else { throw FileFault("looking at \(path)") }
            found = []
        }
        names = found
        return found
    }

    private func make(_ path: String) throws(FileFault) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault("making \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault("making \(path)") }
    }

    private func sync(_ path: String) throws(FileFault) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault("opening \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault("syncing \(path)") }
    }
}
