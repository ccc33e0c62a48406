// The sizes up to which a store is read. A larger file was not written by passd. architecture.md §5.3.

import Glibc

enum StoreSize {
    /// The max size of a store in bytes. A store with the max number of rows needs a third of this size.
    static let maxBytes = 64 << 20
    /// The max size of a log in bytes. A log may have several versions of a page.
    static let maxLogBytes = 256 << 20
    /// The max number of pages, at SQLite's page size for new files.
    static let maxPages = maxBytes / 4096

    /// The problem with the size of the database; nil if there is none.
    static func problem(of database: String) -> String? { size(database) > maxBytes ? "it is too large" : nil }

    /// The problem with the sizes of the log files; nil if there is none. SQLite copies the contents of these files into the
    /// database.
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
