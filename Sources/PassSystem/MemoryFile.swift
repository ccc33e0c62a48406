// Files in memory alone, to be passed to other processes as descriptors.

import CLinux
import Glibc

enum MemoryFile {
    /// Nobody can change the file any more, so that the receiver may read it without a copy. The caller closes it. Nil
    /// if there is no memory or descriptor left.
    static func sealed(_ content: [UInt8]) -> Int32? {
        let file = pass_memory_file()
        guard file >= 0 else { return nil }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { break }
            rest = rest.dropFirst(max(0, count))
        }
        if rest.isEmpty, pass_seal(file) == 0 { return file }
        close(file)
        return nil
    }
}
