// A directory for one test, with functions for the files in it. The directory is removed after the test.

import FoundationEssentials
public import Glibc
import Synchronization
import Testing

public final class TemporaryDirectory: Sendable {
    /// The path is short, because socket paths have a length limit.
    public let path: String
    private let copies = Mutex<[TemporaryDirectory]>([])

    /// With `inMemory` the directory is in memory if the machine allows it. Tests of files are slow on a disk.
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

    /// The content of a file; empty if there is no file.
    public func read(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: file(name)))).map { Array($0) } ?? []
    }

    /// Writes a file and returns its path.
    @discardableResult public func write(_ content: [UInt8], to name: String) -> String {
        spawning.withLock { _ in
            do { try Data(content).write(to: URL(filePath: file(name))) } catch { Issue.record(error) }
        }
        if content.starts(with: Array("#!".utf8)) { waitForWriters(of: name) }
        return file(name)
    }

    /// Waits until no process can write to a program. The kernel does not start such a program (ETXTBSY), and a child that
    /// starts at the same time has the descriptor of this process for a moment. A lease for reading shows when it is gone.
    private func waitForWriters(of name: String) {
        let setLease: Int32 = 1024
        let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = becomesTrue { fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 || errno != EAGAIN }
        close(descriptor)
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

    /// The files as they would be left by a kill or a power failure now. The copy lives as long as this directory.
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
