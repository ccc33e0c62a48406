// Renames what cannot be used any more instead of deleting it: someone may still be able to read it. The new name has a
// date. Only `most` stores are kept, because the disk of a TV box is small.

import AccessEnabler
import Glibc

struct SetAside {
    static let most = 8
    static let suffixes = ["", "-wal", "-journal"]

    let directory: StateDirectory
    let now: ServerTime

    /// Moves the database with its log to a name such as `passd.db.damaged-20261121T153000Z` and returns the new path;
    /// nil if there was nothing to move.
    func moveDatabase(_ what: String) -> String? {
        let target = freeName(directory.database + "." + what)
        let moved = rename(directory.database, target) == 0
        let movedLog = rename(directory.database + "-wal", target + "-wal") == 0
        rename(directory.database + "-journal", target + "-journal")
        directory.sync()
        return moved || movedLog ? target : nil
    }

    func move(_ path: String, _ what: String) -> String? {
        let target = freeName(path + "." + what)
        guard rename(path, target) == 0 else { return nil }
        directory.sync()
        return target
    }

    /// Moves a file that is in the way of one of the store's names. It is named like a store that was set aside.
    func move(_ path: String, as what: String) -> String? {
        let target = freeName(directory.database + "." + what)
        guard rename(path, target) == 0 else { return nil }
        for suffix in ["-wal", "-journal"] { rename(path + suffix, target + suffix) }
        directory.sync()
        return target
    }

    func freeName(_ stem: String) -> String {
        let name = stem + "-" + Self.date(now)
        var candidate = name
        var number = 1
        while Self.suffixes.contains(where: { access(candidate + $0, F_OK) == 0 }) {
            number += 1
            candidate = name + "-\(number)"
        }
        return candidate
    }

    /// The names of the stores that were set aside, oldest first.
    var names: [String] {
        let names = (try? FolderListing.names(in: directory.path)) ?? []
        return names.filter { name in
            ["damaged-", "unreadable-"].contains { name.hasPrefix("passd.db." + $0) }
                && !name.hasSuffix("-wal") && !name.hasSuffix("-journal")
        }.sorted { age($0) < age($1) }
    }

    /// No more than passd keeps. Others may have added files with such names.
    var newest: [String] { names.suffix(Self.most) }

    /// Deletes all but the `most` newest stores.
    func prune() {
        for name in names.dropLast(Self.most) {
            for suffix in Self.suffixes { unlink(directory.path + "/" + name + suffix) }
        }
    }

    private func age(_ name: String) -> (Int, Int, String) {
        var status = stat()
        stat(directory.path + "/" + name, &status)
        return (status.st_ctim.tv_sec, status.st_ctim.tv_nsec, name)
    }

    /// Formats a date as in 20261121T153000Z.
    private static func date(_ time: ServerTime) -> String {
        var seconds = time_t(time.milliseconds / 1000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "unknown" }
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = "\(Int(parts.tm_year) + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        return "\(day)T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}
