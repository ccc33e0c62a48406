// Reads facts about a process from `/proc`. Nil means "not known" and is never an error, since the process may end at
// any moment.

import Glibc

enum ProcessFacts {
    static func unit(of process: pid_t) -> PeerUnit? { text(process, "cgroup").flatMap(PeerUnit.init(cgroup:)) }

    /// The effective user.
    static func user(of process: pid_t) -> uid_t? {
        guard let line = text(process, "status")?.split(separator: "\n").first(where: { $0.hasPrefix("Uid:") }) else {
            return nil
        }
        let numbers = line.split(whereSeparator: \.isWhitespace)
        return numbers.count > 2 ? uid_t(numbers[2]) : nil
    }

    static func executable(of process: pid_t) -> String? {
        let link = "/proc/\(process)/exe"
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(link, &buffer, buffer.count)
        guard length > 0, length < buffer.count,
            let path = String(validating: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        else { return nil }
        // In a mount namespace of its own, which any user can create, a peer can give its program any path. So the path
        // has to lead to the same file for us.
        var (its, ours) = (stat(), stat())
        guard stat(link, &its) == 0, stat(path, &ours) == 0, its.st_dev == ours.st_dev, its.st_ino == ours.st_ino else {
            return nil
        }
        return path
    }

    private static func text(_ process: pid_t, _ name: String) -> String? {
        (try? readAll(path: "/proc/\(process)/\(name)", limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) }
    }
}
