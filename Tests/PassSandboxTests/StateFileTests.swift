// Tests the state file alone. A last line that a crash has truncated is dropped. Any other damage is refused with its
// place.

import FoundationEssentials
import Glibc
import PassTestTools
import Testing

@testable import PassSandbox

@Suite struct StateFileTests {
    private func fresh() -> State { State(random: SeededRandom(number: 1)) }

    private func client(_ id: String) -> Client {
        Client(id: id, secret: "secret of \(id)", app: "lumen-tv", issued: 1)
    }

    private func contents(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// Writes a file with three commits of one client each.
    private func written(_ path: String) throws {
        var state = fresh()
        let file = try StateFile(path: path, state: &state)
        for id in ["one", "two", "three"] {
            state.clients[id] = client(id)
            try file.commit(&state)
        }
    }

    @Test func `committed data are read back`() throws {
        let folder = TemporaryDirectory()
        try written(folder.file("state"))
        var state = State(random: SeededRandom(number: 2))
        _ = try StateFile(path: folder.file("state"), state: &state)
        #expect(state.clients.rows.keys.sorted() == ["one", "three", "two"])
        #expect(state.clients["two"]?.secret == "secret of two")
        // If the file has a state, the seed does not matter.
        #expect(state.random == fresh().random)
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe or a folder in place of the file is refused without a wait`() throws {
        let folder = TemporaryDirectory()
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0 && mkdir(folder.file("folder"), 0o700) == 0)
        for name in ["pipe", "folder"] {
            #expect(throws: StateFileError.self) {
                var state = fresh()
                try StateFile.peek(path: folder.file(name), into: &state)
            }
            #expect(throws: StateFileError.self) {
                var state = fresh()
                _ = try StateFile(path: folder.file(name), state: &state)
            }
        }
        // A pipe at the place of the next snapshot does not block either.
        try #require(mkfifo(folder.file("state.new"), 0o600) == 0)
        try written(folder.file("state"))
        var state = fresh()
        try StateFile.peek(path: folder.file("state"), into: &state)
        #expect(state.clients.rows.count == 3)
    }

    @Test func `a last line that ends at any byte is dropped, the lines before it are kept, and the file continues`()
        throws
    {
        let folder = TemporaryDirectory()
        try written(folder.file("state"))
        let whole = try contents(folder.file("state"))
        let start = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        for end in start..<whole.count {
            try Data(whole[..<end]).write(to: URL(filePath: folder.file("state")))
            var peeked = fresh()
            try StateFile.peek(path: folder.file("state"), into: &peeked)
            #expect(peeked.clients.rows.keys.sorted() == ["one", "two"])
            #expect(try contents(folder.file("state")).count == end)

            var state = fresh()
            var file: StateFile? = try StateFile(path: folder.file("state"), state: &state)
            #expect(state.clients.rows.keys.sorted() == ["one", "two"])
            state.clients["four"] = client("four")
            try file?.commit(&state)
            file = nil
            var again = fresh()
            try StateFile.peek(path: folder.file("state"), into: &again)
            #expect(again.clients.rows.keys.sorted() == ["four", "one", "two"])
        }
    }

    @Test func `a last line with a lost middle is dropped, too`() throws {
        let folder = TemporaryDirectory()
        try written(folder.file("state"))
        var content = try contents(folder.file("state"))
        let start = try #require(content.dropLast().lastIndex(of: UInt8(ascii: "\n"))) + 1
        for place in (start + 20)..<(content.count - 20) { content[place] = 0 }
        try Data(content).write(to: URL(filePath: folder.file("state")))
        var state = fresh()
        _ = try StateFile(path: folder.file("state"), state: &state)
        try #expect(contents(folder.file("state")) == Array(content[..<start]))
    }

    @Test func `a first line that ends at any byte means a new start`() throws {
        let folder = TemporaryDirectory()
        let title = Array("pass-sandbox state 1\n".utf8)
        for end in 0..<title.count {
            try Data(title[..<end]).write(to: URL(filePath: folder.file("state")))
            var state = fresh()
            let file = try StateFile(path: folder.file("state"), state: &state)
            state.clients["one"] = client("one")
            try file.commit(&state)
            var again = fresh()
            try StateFile.peek(path: folder.file("state"), into: &again)
            #expect(again.clients.rows.count == 1)
        }
    }

    @Test func `a changed byte before the last line is refused with its line`() throws {
        let folder = TemporaryDirectory()
        try written(folder.file("state"))
        let whole = try contents(folder.file("state"))
        let last = try #require(whole.dropLast().lastIndex(of: UInt8(ascii: "\n")))
        for place in stride(from: 0, to: last, by: 7) where whole[place] != UInt8(ascii: "\n") {
            var damaged = whole
            damaged[place] ^= 0x01
            // A new line end splits the line, and the first part is damaged as well.
            try Data(damaged).write(to: URL(filePath: folder.file("state")))
            let line = whole[..<place].count { $0 == UInt8(ascii: "\n") } + 1
            var state = fresh()
            do {
                _ = try StateFile(path: folder.file("state"), state: &state)
                Issue.record("byte \(place) of line \(line) is not missed")
            } catch {
                let says = error.description
                #expect(
                    line == 1
                        ? says.contains("is not a state file") : says.contains("\(folder.file("state")):\(line): "),
                    "\(says)")
            }
            #expect(try contents(folder.file("state")) == damaged)
        }
    }

    @Test func `a file with other contents is refused and not changed`() throws {
        let folder = TemporaryDirectory()
        try Data("{\"my\": \"diary\"}\n".utf8).write(to: URL(filePath: folder.file("state")))
        var state = fresh()
        #expect(throws: StateFileError.self) { _ = try StateFile(path: folder.file("state"), state: &state) }
        #expect(try contents(folder.file("state")) == Array("{\"my\": \"diary\"}\n".utf8))
    }

    @Test func `a file can have one owner, and readers`() throws {
        let folder = TemporaryDirectory()
        var state = fresh()
        var first: StateFile? = try StateFile(path: folder.file("state"), state: &state)
        var other = fresh()
        #expect {
            _ = try StateFile(path: folder.file("state"), state: &other)
        } throws: { "\($0)" == "\(folder.file("state")) is in use by another pass-sandbox" }
        try StateFile.peek(path: folder.file("state"), into: &other)
        #expect(first != nil)
        first = nil
        _ = try StateFile(path: folder.file("state"), state: &other)
    }

    @Test func `only the owner can access the file`() throws {
        let folder = TemporaryDirectory()
        try written(folder.file("state"))
        var about = stat()
        #expect(stat(folder.file("state"), &about) == 0)
        #expect(about.st_mode & 0o777 == 0o600)
    }

    @Test func `a log much larger than its contents becomes an equivalent snapshot`() throws {
        let folder = TemporaryDirectory()
        var state = fresh()
        let file = try StateFile(path: folder.file("state"), state: &state)
        let long = String(repeating: "x", count: 200_000)
        var largest = 0
        for number in 0..<60 {
            state.clients["one"] = Client(id: "one", secret: "\(number) \(long)", app: "lumen-tv", issued: 1)
            try file.commit(&state)
            largest = max(largest, try contents(folder.file("state")).count)
        }
        #expect(try contents(folder.file("state")).count < largest)
        var again = fresh()
        try StateFile.peek(path: folder.file("state"), into: &again)
        #expect(again.clients["one"]?.secret.hasPrefix("59 ") == true)
    }
}
