// Why a file could not be opened, read or written.

import Glibc

struct FileFault: Error, Hashable {
    var code: Int32
    /// What was being done, with the path.
    var doing: String

    init(_ doing: String, _ code: Int32 = errno) {
        self.code = code
        self.doing = doing
    }

    /// Zero stands for a fault without an `errno`.
    var explanation: String { code == 0 ? doing : "\(doing): \(systemMessage(code))" }
    var isNotPlain: Bool { code == 0 }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
    var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }
}
