// The sizes up to which a store is read. A larger file was not written by passd. architecture.md §5.3.

import Glibc

enum StoreSize {
    /// A store with as many rows as the limits allow has a third of it.
    static let maxBytes = 64 << 20
    /// A log may have several versions of a page.
    static let maxLogBytes = 256 << 20
    /// At SQLite's page size for new files.
    static let maxPages = maxBytes / 4096

    /// What is wrong with the size of the database; nil if nothing is.
    static func problem(of database: String) -> String? { size(database) > maxBytes ? "it is too large" : nil }

    /// What is wrong with the sizes of the files from which SQLite brings the database up to date.
    static func problem(ofLogsOf database: String) -> String? {
        for suffix in SetAside.suffixes.dropFirst() where size(database + suffix) > maxLogBytes {
            return "its \(suffix == "-wal" ? "write-ahead log" : "journal") is too large"
        }
        return nil
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(clamping: status.st_size) : 0
    }
}
