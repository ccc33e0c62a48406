// The files of the configuration, in the order of reading. A file in a later directory masks files of the same name in earlier
// directories. For each key, the last file wins. operations.md §2.

import Glibc
package import PassProtocol
import PassSystem

package struct ConfigurationFiles: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        case file(String, isRequired: Bool)
        /// The directory's `*.conf` files, sorted by name. The directory may be missing.
        case directory(String)
    }

    struct Found: Equatable, Sendable {
        /// A file or directory that could not be read.
        struct Gap: Equatable, Sendable {
            /// The number of paths before this file or directory.
            let position: Int
            let problem: Problem
        }

        var paths: [String] = []
        var gaps: [Gap] = []

        var problems: [Problem] { gaps.map(\.problem) }
    }

    let settings: [Source]
    let apps: [Source]

    /// The files and directories that are searched, in this order.
    package var places: [String] {
        (settings + apps).map { source in
            switch source {
            case .file(let path, _): path
            case .directory(let path): path + "/*.conf"
            }
        }
    }

    /// The files that are read without `--config`: those of packages, and those of the daemon or instance itself. `root` is put
    /// in front of every path.
    package static func system(instance: InstanceName? = nil, root: String = "") -> ConfigurationFiles {
        let own = instance?.directory ?? "passd"
        // The second directory is for packages that were built on this machine.
        let shared = ["/usr/lib/passd", "/usr/local/lib/passd"].map { root + $0 }
        return ConfigurationFiles(
            settings: shared.map { .directory($0 + "/passd.conf.d") } + [
                .file(root + "/etc/\(own)/passd.conf", isRequired: instance != nil),
                .directory(root + "/run/\(own)/passd.conf.d"), .directory(root + "/etc/\(own)/passd.conf.d"),
            ],
            apps: (shared + [root + "/etc/\(own)"]).map { .directory($0 + "/apps.d") })
    }

    /// The files that are read with `--config FILE` instead of the system's files.
    package static func beside(_ file: String) -> ConfigurationFiles {
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        return ConfigurationFiles(
            settings: [.file(file, isRequired: true), .directory(file + ".d")], apps: [.directory(folder + "apps.d")])
    }

    static func find(_ sources: [Source], limit: Int = 256, _ willAsk: (String) -> Void) -> Found {
        var found = Found()
        var listings: [[(name: String?, path: String)]] = []
        var unlisted: [Int: Problem] = [:]
        for source in sources {
            switch source {
            case .file(let path, let isRequired):
                willAsk(path)
                var facts = stat()
                // A dangling symbolic link counts as present.
                if isRequired || lstat(path, &facts) == 0 || errno != ENOENT && errno != ENOTDIR {
                    listings.append([(nil, path)])
                }
            case .directory(let path):
                willAsk(path)
                switch names(in: path) {
                case .success(let names):
                    if names.contains(nil) {
                        unlisted[listings.count] = Problem(
                            .ignored, place: FilePosition(path),
                            message: "a file whose name is not UTF-8 is ignored")
                    }
                    listings.append(names.compactMap(\.self).map { ($0, path + "/" + $0) })
                case .failure(let fault):
                    unlisted[listings.count] = Problem(.fatal, place: FilePosition(path), message: fault.description)
                    listings.append([])
                }
            }
        }
        for (index, listing) in listings.enumerated() {
            if let problem = unlisted[index] { found.gaps.append(.init(position: found.paths.count, problem: problem)) }
            let later = Set(listings[(index + 1)...].joined().compactMap(\.name))
            found.paths += listing.filter { $0.name.map { !later.contains($0) } ?? true }.map(\.path)
        }
        if found.paths.count > limit {
            let problem = Problem(
                .fatal, place: FilePosition(found.paths[limit]),
                message:
                    "there are \(found.paths.count) files, and at most \(limit) are read; join some, or remove them"
            )
            found.gaps.append(.init(position: limit, problem: problem))
            found.paths.removeSubrange(limit...)
        }
        return found
    }

    /// The sorted names of the directory's files. An element is nil if its name is not valid text.
    private static func names(in path: String) -> Result<[String?], TextFile.Fault> {
        guard let directory = opendir(path) else {
            return errno == ENOENT ? .success([]) : .failure(TextFile.Fault(reason: errno))
        }
        defer { closedir(directory) }
        var names: [[UInt8]] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.suffix(5).elementsEqual(".conf".utf8), name.first != UInt8(ascii: ".") { names.append(name) }
        }
        return .success(
            names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(validating: $0, as: UTF8.self) })
    }
}
