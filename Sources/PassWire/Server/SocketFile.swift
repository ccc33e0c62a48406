// The file of a listening socket. Until the file has its mode, only its owner can connect. A file of a listening process is
// never replaced. At the end, the file is removed only if no other process has replaced it.

import Glibc

struct SocketFile: Sendable {
    let path: String
    let device: dev_t
    let inode: ino_t

    /// Identifies the file, for a later process.
    var mark: [UInt8] { Array("\(device) \(inode)".utf8) }

    static func bind(
        _ path: String, mode: mode_t, group: gid_t?, backlog: Int32
    ) throws(SocketError) -> (Int32, SocketFile) {
        let address = try UnixAddress(path: path)
        let lock = lockDirectory(of: path)
        defer { if lock >= 0 { close(lock) } }
        try clear(path, address)
        let number = try UnixAddress.socket()
        do throws(SocketError) {
            // The file gets the mode of the socket, without the bits of the umask. At first, only the owner has access. The
            // exact mode is set below.
            try check("fchmod", fchmod(number, mode & 0o700))
            try check("bind", address.call { Glibc.bind(number, $0, $1) })
        } catch {
            close(number)
            throw error
        }
        do throws(SocketError) {
            // A program that may write to the directory can replace the file by a link, so links are not followed.
            if let group { try check("chown", lchown(path, uid_t.max, group)) }
            try check("chmod", fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW))
            try check("listen", listen(number, backlog))
            var status = stat()
            try check("stat", lstat(path, &status))
            return (number, SocketFile(path: path, device: status.st_dev, inode: status.st_ino))
        } catch {
            unlink(path)
            close(number)
            throw error
        }
    }

    /// Whether the path still has this file.
    var exists: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
    }

    func remove() { if exists { unlink(path) } }

    /// Removes a socket file that a dead process left.
    private static func clear(_ path: String, _ address: UnixAddress) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw SocketError(.notASocket, EEXIST) }
        let probe = try UnixAddress.socket()
        defer { close(probe) }
        // If the backlog is full (EAGAIN), the process is alive, too.
        guard address.call({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
            throw SocketError(.inUse, EADDRINUSE)
        }
        unlink(path)
    }

    /// Locks the directory. Without the lock, another starting process could remove the file of a process that does not listen
    /// yet. The wait for the lock is limited to a second, because any user who may open the directory can hold the lock.
    private static func lockDirectory(of path: String) -> Int32 {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return -1 }
        for _ in 0..<100 {
            if flock(number, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(10_000)
        }
        return number
    }

    private static func check(_ call: String, _ outcome: Int32) throws(SocketError) {
        guard outcome == 0 else { throw SocketError(.system(call), errno) }
    }
}

extension SocketFile {
    /// Finds the file of a socket that an earlier process has bound. Nil if the path has another file now.
    init?(path: String, mark: [UInt8]) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(path: path, device: status.st_dev, inode: status.st_ino)
        guard mark == self.mark else { return nil }
    }
}
