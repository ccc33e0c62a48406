// A state directory for one test, deleted with this object.

import FoundationEssentials
import Glibc
import Synchronization
import Testing

final class TemporaryFolder: Sendable {
    let path: String
    private let copies = Mutex<[TemporaryFolder]>([])

    init() {
        // In memory if possible, because a disk would only make the tests slow.
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/passd-vault-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func read(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: path + "/" + name))).map { Array($0) } ?? []
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        do { try Data(bytes).write(to: URL(filePath: path + "/" + name)) } catch { Issue.record(error) }
    }

    func mode(of name: String = "") -> mode_t {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    func remove(_ name: String) { unlink(path + "/" + name) }
    func link(_ name: String, to target: String) { symlink(target, path + "/" + name) }
    func change(_ name: String, _ mode: mode_t) throws { try #require(chmod(path + "/" + name, mode) == 0) }

    var processID: pid_t { getpid() }

    /// Copies the files as a power cut or a kill would leave them at this moment, into a folder that lives as long as
    /// this one.
    func copy() -> TemporaryFolder {
        let other = TemporaryFolder()
        for name in names {
            other.write(name, read(name))
            chmod(other.path + "/" + name, mode(of: name))
        }
        copies.withLock { $0.append(other) }
        return other
    }
}
