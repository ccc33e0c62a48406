// A folder of one test, and what tests put into it: files and Unix sockets.

import Glibc

final class TemporaryFolder: Sendable {
    struct CannotMake: Error {}

    let path: String

    init() throws {
        var template = Array("/tmp/passd-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CannotMake() }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        guard let directory = opendir(path) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { _ = unlink(path + "/" + name) == 0 ? 0 : rmdir(path + "/" + name) }
        }
        closedir(directory)
        rmdir(path)
    }

    @discardableResult func write(_ name: String, _ content: [UInt8]) -> String {
        let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(file, content, content.count)
        close(file)
        return path + "/" + name
    }
}

func unixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}

func unixSocket(_ kind: __socket_type, boundTo path: String, listening: Bool = false) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard unixAddress(path, { bind(descriptor, $0, $1) }) == 0, !listening || listen(descriptor, 16) == 0 else {
        throw TemporaryFolder.CannotMake()
    }
    return descriptor
}
