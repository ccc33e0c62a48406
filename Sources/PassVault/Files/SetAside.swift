// Renames unusable files instead of deleting them, because their data may still be readable. The new name has a date.
// Only the newest `maxKept` stores are kept, because the disk of a TV box is small.

import AccessEnabler
import Glibc

struct SetAside {
    static let maxKept = 8
    static let logSuffixes = ["-wal", "-journal"]
    static let suffixes = [""] + logSuffixes

    let directory: StateDirectory
    let now: ServerTime

    /// Moves the database with its log to a name such as `passd.db.damaged-20261121T153000Z`. Returns the new path; nil if
    /// there was nothing to move. The log moves first, so that `undoHalfMove` recognizes an interrupted move.
    func moveDatabase(_ what: String) -> String? {
        // Logs without a database get a name that `undoHalfMove` ignores. Of these logs, only the latest are kept.
        let isWhole = access(directory.database, F_OK) == 0
        let target = isWhole ? freeName(directory.database + "." + what) : directory.database + ".orphaned"
        let logs = Self.logSuffixes.filter { rename(directory.database + $0, target + $0) == 0 }
        if !logs.isEmpty { directory.sync() }
        let moved = rename(directory.database, target) == 0
        directory.sync()
        return moved || !logs.isEmpty ? target : nil
    }

    /// Moves the logs back to their database if a power cut came between the two moves.
    func undoHalfMove() {
        let listed = Set((try? FolderListing.names(in: directory.path)) ?? [])
        guard listed.contains("passd.db"), listed.contains("passd.db.replacement"),
            !Self.logSuffixes.contains(where: { listed.contains("passd.db" + $0) })
        else { return }
        let halves = listed.flatMap { name in
            Self.logSuffixes.filter { Self.isStore(name) && name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
        }
        guard let half = halves.filter({ !listed.contains($0) }).max(by: { age($0 + "-wal") < age($1 + "-wal") }) else {
            return
        }
        for suffix in Self.logSuffixes {
            rename(directory.path + "/" + half + suffix, directory.database + suffix)
        }
        directory.sync()
    }

    /// Moves a file with its logs to a name that begins with `stem`. Returns the new path.
    func move(_ path: String, to stem: String) -> String? {
        let target = freeName(stem)
        guard rename(path, target) == 0 else { return nil }
        for suffix in Self.logSuffixes { rename(path + suffix, target + suffix) }
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
        return names.filter { name in Self.isStore(name) && !Self.logSuffixes.contains { name.hasSuffix($0) } }
            .sorted { age($0) < age($1) }
    }

    /// Whether the name belongs to a store that was set aside, or to one of its logs.
    private static func isStore(_ name: String) -> Bool {
        ["damaged-", "unreadable-"].contains { name.hasPrefix("passd.db." + $0) }
    }

    /// The newest names, up to `maxKept`. There may be more, because other programs may have added files with such names.
    var newest: [String] { names.suffix(Self.maxKept) }

    /// Deletes all but the newest `maxKept` stores.
    func prune() {
        for name in names.dropLast(Self.maxKept) { remove(name) }
    }

    /// Removes a store. The logs are removed first, because without their database they would look like an interrupted
    /// move.
    func remove(_ name: String) {
        for suffix in Self.suffixes.reversed() { unlink(directory.path + "/" + name + suffix) }
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
