// The address of a Unix socket at a path.

import Glibc

struct UnixAddress {
    static let maxPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private var address = sockaddr_un()

    init(path: String) throws(SocketError) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.maxPathLength, !bytes.contains(0) else {
            throw SocketError(.pathTooLong(limit: Self.maxPathLength), ENAMETOOLONG)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    func call(_ function: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func socket() throws(SocketError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw SocketError(.system("socket"), errno) }
        return number
    }
}
