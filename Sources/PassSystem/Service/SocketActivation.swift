// The sockets that the service manager has opened, by their names in `passd.socket`. Contract: operations.md §3, rpc.md §1.

import CSystemd
import Glibc

/// Listening Unix sockets. The caller of `take` owns them and has to close them.
public struct SocketActivation: Equatable, Sendable {
    public enum Name: String, CaseIterable, Sendable { case api, admin }

    public enum Fault: Error, Equatable, Sendable {
        case unreadable(reason: Int32)
        case unknownName(String)
        case twice(Name)
        /// The service manager passed only one of the two sockets. `Name` is the missing socket.
        case missing(Name)
        /// The descriptor is not a listening Unix stream socket.
        case notListening(Name)
    }

    public let descriptors: [Name: Int32]
    /// The descriptors that `DescriptorStore` kept, by their names. Each name should have two descriptors: a connection and its
    /// note.
    public let kept: [String: [Int32]]

    /// Takes the sockets that were passed to this process. Call this once, at the start, before there is another thread. Also
    /// removes the variables from the environment, because otherwise a child could try to use the sockets.
    public static func take() throws(Fault) -> SocketActivation {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else { throw .unreadable(reason: -count) }
        defer {
            for index in 0..<Int(count) { free(names?[index]) }
            free(names)
        }
        return try SocketActivation(
            (0..<count).map { index in
                (names?[Int(index)].map { String(cString: $0) } ?? "", SD_LISTEN_FDS_START + index)
            })
    }

    init(_ passed: [(name: String, descriptor: Int32)]) throws(Fault) {
        var descriptors: [Name: Int32] = [:]
        var kept: [String: [Int32]] = [:]
        for (text, descriptor) in passed {
            if text.hasPrefix(DescriptorStore.prefix) {
                let name = String(text.dropFirst(DescriptorStore.prefix.count))
                kept[name, default: []].append(descriptor)
                continue
            }
            guard let name = Name(rawValue: text) else { throw .unknownName(text) }
            guard descriptors[name] == nil else { throw .twice(name) }
            guard UnixStream.isOne(descriptor, listening: true),
                fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
            else { throw .notListening(name) }
            descriptors[name] = descriptor
        }
        if let name = Name.allCases.first(where: { descriptors[$0] == nil }), !descriptors.isEmpty {
            throw .missing(name)
        }
        self.descriptors = descriptors
        self.kept = kept
    }
}

extension SocketActivation.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let reason): "the passed sockets cannot be used: \(String(cString: strerror(reason)))"
        case .unknownName(let name):
            "a socket named \"\(name)\" was passed; expected api (passd.socket) or admin (passd-admin.socket)"
        case .twice(let name): "two sockets named \(name.rawValue) were passed"
        case .missing(let name): "no socket named \(name.rawValue) was passed, but a socket with the other name was"
        case .notListening(let name): "the socket named \(name.rawValue) is not a listening Unix stream socket"
        }
    }
}
