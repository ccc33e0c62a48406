// Users by their names on this machine.

import Glibc

enum Account {
    /// Nil if the user has none here.
    static func name(_ number: UInt32?) -> String? {
        guard let number else { return nil }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 4096)
        guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }
}
