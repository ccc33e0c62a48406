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

    /// Zero stands for what the system has no number for.
    var explanation: String { code == 0 ? doing : "\(doing): \(systemMessage(code))" }
    var isNotPlain: Bool { code == 0 }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
    var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }
}
