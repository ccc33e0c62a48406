// Unix sockets like those of a service manager or a peer.

import Glibc
import PassTestTools

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
        throw TestFailure("\(path): \(String(cString: strerror(errno)))")
    }
    return descriptor
}
