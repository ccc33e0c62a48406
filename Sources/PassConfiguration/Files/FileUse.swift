// Whether a file that a setting names can be used, as far as that can be seen without using it.

import Glibc

package enum FileUse: Sendable {
    case reading, running

    /// Nil if there is nothing wrong.
    func fault(of path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return String(cString: strerror(errno)) }
        guard facts.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        guard access(path, self == .reading ? R_OK : X_OK) == 0 else {
            return self == .reading ? "this user may not read it" : "it is not a program that this user may run"
        }
        return nil
    }
}
