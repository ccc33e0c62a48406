// What the system answered when a file could not be had.

import Glibc

struct FileFault: Error, Hashable {
    var code: Int32
    /// While doing what, with the path.
    var doing: String

    init(_ doing: String, _ code: Int32 = errno) {
        self.code = code
        self.doing = doing
    }

    var explanation: String { "\(doing): \(systemMessage(code))" }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
    var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }
}
