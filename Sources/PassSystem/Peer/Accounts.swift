// Looks up users and groups of this machine in the name service.

import Glibc

package enum Accounts {
    private static let bufferSize = 64 << 10

    package static func user(_ name: String) -> UInt32? {
        var (record, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: bufferSize)
        let code = getpwnam_r(name, &record, &buffer, buffer.count, &found)
        return code == 0 && found != nil ? record.pw_uid : nil
    }

    package static func group(_ name: String) -> UInt32? {
        var (record, found) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
        var buffer = [CChar](repeating: 0, count: bufferSize)
        let code = getgrnam_r(name, &record, &buffer, buffer.count, &found)
        return code == 0 && found != nil ? record.gr_gid : nil
    }

    /// Returns the user's primary group and the groups that list the user. Empty if the user does not exist.
    package static func groups(_ user: UInt32) -> Set<UInt32> {
        // The record must not be used after this block, because its strings are in the buffer.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: bufferSize) { buffer in
            var (record, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
            guard let start = buffer.baseAddress, getpwuid_r(user, &record, start, buffer.count, &found) == 0,
                found != nil
            else { return [] }
            var groups = [gid_t](repeating: 0, count: 1024)
            var count = Int32(groups.count)
            // If there are too many groups, the rest is left out.
            getgrouplist(record.pw_name, record.pw_gid, &groups, &count)
            return Set(groups.prefix(Int(min(max(count, 0), Int32(groups.count)))))
        }
    }
}
