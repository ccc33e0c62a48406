// Classifies descriptors that were passed to us.

import Glibc

enum UnixStream {
    /// Whether the descriptor is a Unix stream socket that listens. With `listening: false`, whether it is a Unix stream socket
    /// that does not listen.
    static func isOne(_ descriptor: Int32, listening: Bool) -> Bool {
        option(SO_DOMAIN, of: descriptor) == AF_UNIX
            && option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
            && option(SO_ACCEPTCONN, of: descriptor) == (listening ? 1 : 0)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
