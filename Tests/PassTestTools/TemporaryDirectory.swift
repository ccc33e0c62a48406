// A directory of a test's own, gone with the test, and the little that tests do with the files in it.

import FoundationEssentials
public import Glibc
import Synchronization
import Testing

public final class TemporaryDirectory: Sendable {
    /// Short, since the paths of sockets have to be.
    public let path: String
    private let copies = Mutex<[TemporaryDirectory]>([])

    /// With `inMemory` it is a directory in memory where the machine has such a place: a disk makes tests of files
    /// slow.
    public init(inMemory: Bool = false) {
        let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/passd.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("\(parent): \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    public func file(_ name: String) -> String { path + "/" + name }

    /// The content of a file; nothing if there is none.
    public func read(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: file(name)))).map { Array($0) } ?? []
    }

    /// Writes a file and returns its path.
    @discardableResult public func write(_ content: [UInt8], to name: String) -> String {
        spawning.withLock { _ in
            do { try Data(content).write(to: URL(filePath: file(name))) } catch { Issue.record(error) }
        }
        return file(name)
    }

    @discardableResult public func write(_ text: String, to name: String) -> String {
        write(Array(text.utf8), to: name)
    }

    public func mode(of name: String = "") -> mode_t {
        var status = stat()
        return stat(file(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    public func setMode(of name: String = "", to mode: mode_t) {
        if chmod(file(name), mode) != 0 { Issue.record("chmod \(file(name)): \(String(cString: strerror(errno)))") }
    }

    public func remove(_ name: String) { unlink(file(name)) }

    public func link(_ name: String, to target: String) { symlink(target, file(name)) }

    /// What a power cut or a kill leaves behind at this moment: the files as they are, in a directory that lives as
    /// long as this one.
    public func copy() -> TemporaryDirectory {
        let other = TemporaryDirectory(inMemory: path.hasPrefix("/dev/shm"))
        for name in names {
            other.write(read(name), to: name)
            other.setMode(of: name, to: mode(of: name))
        }
        copies.withLock { $0.append(other) }
        return other
    }
}
