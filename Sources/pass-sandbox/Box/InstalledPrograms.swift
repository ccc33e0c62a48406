// The paths of a box's programs, and an address of this machine for other machines.

import CMicroHTTPD
import Glibc
import PassArguments

enum DaemonProgram {
    /// Returns the program that `--passd` names. Without this option, returns the first passd that it finds beside this
    /// program, on the PATH, or in the directories of packages.
    static func find(_ arguments: Arguments) throws(Failure) -> String {
        if let given = arguments[.daemon] {
            guard isProgram(given) else { throw Failure(.failed, "--passd \(given): there is no program") }
            return given
        }
        guard let found = program("passd") else {
            throw Failure(
                .failed,
                "there is no passd in \(ownFolder ?? "/usr/bin") or on the PATH; build or install it, or name it "
                    + "with --passd")
        }
        return found
    }

    /// The path of the gateway.
    static func gateway() throws(Failure) -> String {
        // In a checkout, the gateway is built beside the folders of SwiftPM.
        let built = ownFolder.map { $0 + "/../../web/passd-web" }.flatMap { isProgram($0) ? $0 : nil }
        guard let path = program("passd-web") ?? built else {
            throw Failure(
                .failed,
                "there is no passd-web in \(ownFolder ?? "/usr/bin") or on the PATH; build it with "
                    + "make build, or install the package passd-web")
        }
        return path
    }

    private static func program(_ name: String) -> String? {
        let folders = (ownFolder.map { [$0, $0 + "/../sbin"] } ?? []) + searched + ["/usr/sbin", "/usr/local/sbin"]
        return folders.map { $0 + "/" + name }.first(where: isProgram)
    }

    static var ownFolder: String? {
        resolved("/proc/self/exe").map { "/" + $0.split(separator: "/").dropLast().joined(separator: "/") }
    }

    /// Whether the PATH has this directory.
    static func isSearched(_ folder: String) -> Bool { searched.contains { resolved($0) == folder } }

    /// The directories of the PATH.
    private static var searched: [String] {
        getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isProgram(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}

// An address at which other machines may reach this one.

enum OwnAddress {
    /// An example URL of a service. It has this machine's first address in a network that is up, or an invented address.
    static func example(port: UInt16) -> String { "http://\(first ?? "192.168.1.5"):\(port)" }

    private static var first: String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0.pointee.ifa_next }) {
            let flags = entry.pointee.ifa_flags
            guard let address = entry.pointee.ifa_addr, address.pointee.sa_family == AF_INET,
                flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var buffer = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
            inet_ntop(AF_INET, UnsafeRawPointer(address) + 4, &buffer, socklen_t(buffer.count))
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return nil
    }
}
