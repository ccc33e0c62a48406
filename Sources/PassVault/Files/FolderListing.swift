// Lists a folder of the state directory.

import Glibc

enum FolderListing {
    /// The max number of names. A folder of passd has far fewer files.
    private static let maxNames = 20_000

    /// The names in the folder, in no particular order.
    static func names(in path: String) throws(FileFault) -> [String] {
        guard let folder = opendir(path) else { throw FileFault("listing \(path)") }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                guard errno == 0 else { throw FileFault("listing \(path)") }
                return names
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            guard names.count <= maxNames else { throw FileFault("listing \(path)", E2BIG) }
        }
    }
}
