// Tests the sockets for apps in containers: their files and modes, their removal, and the return of kept sockets.
// docs/decisions/0023.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer
@testable import PassWire

@Suite("ruling 55") @EngineActor struct AppDoorsTests {
    private let directory = TemporaryDirectory()
    private var place: String { directory.file("apps") }

    private static func sockets(_ rules: [AllowRule.Condition]...) -> AppSockets {
        var app = AppStanza.sample()
        app.allow = rules.map { AllowRule(text: "", conditions: $0) }
        return AppSockets(of: [app])
    }

    private func settle(_ doors: AppDoors, _ sockets: AppSockets) -> [String] {
        doors.settle(sockets) { listener, _ in listener.start(onAccept: { _, _ in }) }
    }

    private func accepts(_ name: String) -> Bool {
        (try? UnixAddress(path: AppSockets.path(of: name, in: place))).map { address in
            guard let number = try? UnixAddress.socket() else { return false }
            defer { close(number) }
            return address.call { connect(number, $0, $1) } == 0
        } ?? false
    }

    @Test func `each name has a directory with nothing but its socket`() async {
        let doors = AppDoors(in: place, kept: [:])
        #expect(settle(doors, Self.sockets([.socket("news")], [.socket("sport"), .user(1000)])).isEmpty)
        #expect(directory.mode(of: "apps") == 0o711)
        for name in ["news", "sport"] {
            #expect(accepts(name) && directory.mode(of: "apps/\(name)") == 0o711)
            #expect(directory.mode(of: "apps/\(name)/passd.sock") == 0o666)
        }
        doors.stop()
        await eventually { @EngineActor in !accepts("news") }
        #expect(directory.mode(of: "apps/news") == 0o711)
    }

    @Test func `without a rule for users, only root and passd reach the sockets`() {
        let doors = AppDoors(in: place, kept: [:])
        #expect(settle(doors, Self.sockets([.socket("news")])).isEmpty && directory.mode(of: "apps") == 0o700)
        #expect(settle(doors, Self.sockets([.socket("news"), .group(44)])).isEmpty)
        #expect(directory.mode(of: "apps") == 0o711 && accepts("news"))
        doors.stop()
    }

    @Test func `without rules there is no directory`() {
        #expect(settle(AppDoors(in: place, kept: [:]), Self.sockets([.user(1000)])).isEmpty)
        #expect(directory.names.isEmpty)
    }

    @Test func `a reload adds and removes sockets, and containers keep their directory`() {
        let doors = AppDoors(in: place, kept: [:])
        var (before, after) = (stat(), stat())
        _ = settle(doors, Self.sockets([.socket("news")]))
        stat(place + "/news", &before)
        #expect(settle(doors, Self.sockets([.socket("sport")])).isEmpty)
        #expect(accepts("sport") && access(place + "/news/passd.sock", F_OK) != 0)
        #expect(settle(doors, Self.sockets([.socket("news")], [.socket("sport")])).isEmpty)
        stat(place + "/news", &after)
        #expect(accepts("news") && accepts("sport") && before.st_ino == after.st_ino)
        doors.stop()
    }

    @Test func `a reload makes a deleted socket again`() {
        let doors = AppDoors(in: place, kept: [:])
        _ = settle(doors, Self.sockets([.socket("news")]))
        unlink(place + "/news/passd.sock")
        #expect(!accepts("news"))
        #expect(settle(doors, Self.sockets([.socket("news")])).isEmpty && accepts("news"))
        doors.stop()
    }

    @Test func `a socket that a crash has left is replaced`() throws {
        let doors = AppDoors(in: place, kept: [:])
        mkdir(place, 0o700)
        mkdir(place + "/news", 0o700)
        let number = try UnixAddress.socket()
        let address = try UnixAddress(path: AppSockets.path(of: "news", in: place))
        #expect(address.call { bind(number, $0, $1) } == 0)
        close(number)
        #expect(settle(doors, Self.sockets([.socket("news")])).isEmpty && accepts("news"))
        doors.stop()
    }

    @Test func `one socket that cannot be made does not affect the others`() {
        mkdir(place, 0o700)
        symlink("/", place + "/news")
        let doors = AppDoors(in: place, kept: [:])
        #expect(
            settle(doors, Self.sockets([.socket("news")], [.socket("sport")]))
                == ["\(place)/news: it is not a directory of passd's user"])
        #expect(accepts("sport"))
        doors.stop()
    }

    @Test func `a path that is too long is reported`() {
        let long = directory.file(String(repeating: "d", count: 90))
        let faults = settle(AppDoors(in: long, kept: [:]), Self.sockets([.socket("news")]))
        #expect(faults.count == 1 && faults[0].contains("107"), "\(faults)")
    }

    // MARK: Kept sockets

    /// Binds a socket as an earlier process did, and returns the descriptors that the service manager kept.
    private func keep(_ name: String) throws -> [Int32] {
        mkdir(place, 0o700)
        mkdir(place + "/\(name)", 0o711)
        let listener = try Listener(
            path: AppSockets.path(of: name, in: place), mode: 0o666, queue: EngineActor.queue)
        var kept: [Int32] = []
        listener.keep { number, mark in
            kept = [fcntl(number, F_DUPFD_CLOEXEC, 3), open(directory.write(mark, to: "mark"), O_RDONLY | O_CLOEXEC)]
        }
        #expect(kept.count == 2)
        listener.start(onAccept: { _, _ in })
        listener.stop(leavingFile: true)
        return kept
    }

    @Test func `clients that connect during a restart are accepted by the next process`() throws {
        let kept = try keep("news")
        #expect(accepts("news"), "the client waits in the kernel's queue")
        let doors = AppDoors(in: place, kept: ["socket-news": kept, "client-7": []])
        var file = stat()
        stat(place + "/news/passd.sock", &file)
        var entrances: [Entrance] = []
        let faults = doors.settle(Self.sockets([.socket("news")])) { listener, entrance in
            entrances.append(entrance)
            listener.start(onAccept: { _, _ in })
        }
        #expect(faults.isEmpty && entrances == [.app("news")] && accepts("news"))
        var now = stat()
        stat(place + "/news/passd.sock", &now)
        #expect(file.st_ino == now.st_ino, "the socket is the same")
        doors.stop()
        #expect(access(place + "/news/passd.sock", F_OK) == 0, "the next process takes the socket over")
    }

    @Test func `a kept socket without a rule is removed`() throws {
        let doors = AppDoors(in: place, kept: ["socket-news": try keep("news")])
        #expect(settle(doors, Self.sockets([.user(7)])).isEmpty)
        #expect(!accepts("news") && access(place + "/news/passd.sock", F_OK) != 0)
    }

    @Test func `a kept socket whose file was replaced is not used`() throws {
        let kept = try keep("news")
        unlink(place + "/news/passd.sock")
        let doors = AppDoors(in: place, kept: ["socket-news": kept])
        #expect(settle(doors, Self.sockets([.socket("news")])).isEmpty && accepts("news"))
        doors.stop()
    }
}
