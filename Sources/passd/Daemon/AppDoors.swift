// The sockets for apps in containers, one for each name in rules with `socket:`. passd makes them at the start and at a reload.
// The service manager keeps them over a restart, so that clients wait instead of failing. A launcher mounts the directory of a
// socket into a container. passd never removes this directory, because the container looks for the next socket there.
// docs/decisions/0023.

import AccessEnabler
import Glibc
import PassConfiguration
import PassServer
import PassSystem
import PassWire

@EngineActor final class AppDoors {
    /// The beginning of the names of kept sockets.
    nonisolated static let prefix = "socket-"
    private static let maxNoteSize = 64
    /// Everyone may connect, and rules decide about the peer. Only the owner may list or change the directories. If only root
    /// starts containers, other users cannot enter the directory of all sockets.
    private static let (socketMode, directoryMode, closedMode): (mode_t, mode_t, mode_t) = (0o666, 0o711, 0o700)

    private let directory: String
    /// The descriptors from the service manager, until the first call of `settle`.
    private var kept: [String: [Int32]]
    private var doors: [String: Listener] = [:]

    init(in directory: String, kept: [String: [Int32]]) {
        self.directory = directory
        self.kept = kept.filter { $0.key.hasPrefix(Self.prefix) }
    }

    /// Makes and removes sockets, so that there is one for each name. `accept` starts a listener. Returns the sockets that
    /// cannot be made, with reasons.
    func settle(_ sockets: AppSockets, accept: (Listener, Entrance) -> Void) -> [String] {
        for (name, door) in doors where !sockets.names.contains(name) || !door.isReachable {
            doors[name] = nil
            door.stop()
            DescriptorStore.forget(Self.prefix + name)
        }
        defer { dropKept() }
        if sockets.names.isEmpty { return [] }
        let mode = sockets.areForUsers ? Self.directoryMode : Self.closedMode
        if let fault = fault(making: directory, mode: mode) { return [fault] }
        return sockets.names.filter { doors[$0] == nil }.compactMap { name in
            if let fault = makeDoor(name) { return fault }
            if let door = doors[name] { accept(door, .app(name)) }
            return nil
        }
    }

    /// Stops accepting. The sockets stay, for the next process.
    func stop() { for door in doors.values { door.stop(leavingFile: true) } }

    /// Takes over or makes a socket. Returns the reason if this fails.
    private func makeDoor(_ name: String) -> String? {
        let (entry, path) = (Self.prefix + name, AppSockets.path(of: name, in: directory))
        let former = kept.removeValue(forKey: entry) ?? []
        if let (number, mark) = KeptDescriptors.take(former, listening: true, maxNoteSize: Self.maxNoteSize) {
            doors[name] = Listener(Descriptor(adopting: number), at: path, mark: mark, queue: EngineActor.queue)
            if doors[name] != nil { return nil }
        }
        DescriptorStore.forget(entry)
        if let fault = fault(making: "\(directory)/\(name)", mode: Self.directoryMode) { return fault }
        do throws(SocketError) {
            let listener = try Listener(path: path, mode: Self.socketMode, queue: EngineActor.queue)
            listener.keep { _ = DescriptorStore.keep($0, with: $1, as: entry) }
            doors[name] = listener
            return nil
        } catch { return "\(path): \(error)" }
    }

    /// Removes the kept sockets that no rule names, also from the service manager.
    private func dropKept() {
        for (entry, descriptors) in kept {
            DescriptorStore.forget(entry)
            for number in descriptors { close(number) }
            unlink(AppSockets.path(of: String(entry.dropFirst(Self.prefix.count)), in: directory))
        }
        kept = [:]
    }

    /// Makes the directory if it does not exist. Returns the reason if this fails.
    private func fault(making path: String, mode: mode_t) -> String? {
        var facts = stat()
        guard mkdir(path, mode) == 0 || errno == EEXIST, lstat(path, &facts) == 0 else {
            return "\(path): \(String(cString: strerror(errno)))"
        }
        guard facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid() else {
            return "\(path): it is not a directory of passd's user"
        }
        let isFit = facts.st_mode & 0o7777 == mode || chmod(path, mode) == 0
        return isFit ? nil : "\(path): \(String(cString: strerror(errno)))"
    }
}
