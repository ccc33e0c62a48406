// An error of the system about a file of the store.

import Glibc

struct FileFault: Error, Hashable {
    var code: Int32
    /// The failed operation, with the path.
    var doing: String

    init(_ doing: String, _ code: Int32 = errno) {
        self.code = code
        self.doing = doing
    }

    /// The fault in words. A fault without errno has the code zero.
    var explanation: String { code == 0 ? doing : "\(doing): \(systemMessage(code))" }
    var isNotPlain: Bool { code == 0 }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
    var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }
}
