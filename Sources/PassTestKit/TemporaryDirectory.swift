// A directory of one test, deleted together with this object. Its path is short, since paths of sockets have to be.

import Glibc

public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        var template = Array("/tmp/passd.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw RawPeer.Failure(description: "mkdtemp: \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    public func file(_ name: String) -> String { path + "/" + name }

    deinit {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink(file(name)) }
        }
        closedir(directory)
        rmdir(path)
    }
}
