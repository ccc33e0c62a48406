// Tests what the journal gets, read as systemd's "Native Journal Protocol" describes it.

import Glibc
import PassTestTools
import Testing

@testable import PassSystem

@Suite("operations.md §3: the journal's socket") struct JournalSocketTests {
    /// The fields of a record. A line without `=` is a name, followed by a length, that many bytes, and a line break.
    private func fields(_ record: [UInt8]) throws -> [String: String] {
        var fields: [String: String] = [:]
        var rest = record[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            var value: ArraySlice<UInt8>
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                value = line[(equals + 1)...]
            } else {
                let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                value = rest.dropFirst(8).prefix(length)
                rest = rest.dropFirst(8 + length)
                try #require(value.count == length && rest.first == UInt8(ascii: "\n"))
                rest = rest.dropFirst()
            }
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            try #require(fields.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil)
        }
        try #require(rest.isEmpty, "each field ends with a line break")
        return fields
    }

    private static let program = CommandLine.arguments[0].split(separator: "/").last.map(String.init)

    @Test func `values of any content arrive as they are, and the program is named`() throws {
        let folder = TemporaryDirectory()
        let socket = try unixSocket(SOCK_DGRAM, boundTo: folder.file("journal"))
        defer { close(socket) }
        let values = [
            "PRIORITY": "6", "MESSAGE": "two\nlines=\n", "EMPTY": "", "BREAK": "\n", "TEXT": "a=b=c", "NUL": "\0",
            "LONG": String(repeating: "größe\n", count: 100),
        ]
        JournalSocket(path: folder.file("journal")).send(values.map { "\($0)=\($1)" })
        let record = try #require(Datagram.next(socket))
        #expect(record.descriptors.isEmpty)
        #expect(try fields(record.content) == values.merging(["SYSLOG_IDENTIFIER": Self.program ?? ""]) { $1 })
        #expect(Datagram.next(socket) == nil)
    }

    /// How much a datagram may have depends on who we are: the superuser's buffer takes one MiB, but never 17.
    @Test(arguments: [1, 17]) func `what is too long for a datagram comes as a file that nobody can change`(
        mebibytes: Int
    ) throws {
        let folder = TemporaryDirectory()
        let socket = try unixSocket(SOCK_DGRAM, boundTo: folder.file("journal"))
        defer { close(socket) }
        let value = String(repeating: "1234567\n", count: mebibytes << 17)
        JournalSocket(path: folder.file("journal")).send(["MESSAGE=long", "VALUE=\(value)"])
        let record = try #require(Datagram.next(socket))
        defer { record.close() }
        #expect(record.descriptors.count == (record.content.isEmpty ? 1 : 0))
        if mebibytes == 17 { #expect(record.content.isEmpty) }
        #expect(record.descriptors.allSatisfy(isSealed))
        let content = record.descriptors.first.map(wholeContent) ?? record.content
        let found = try fields(content)
        #expect(found["MESSAGE"] == "long" && found["SYSLOG_IDENTIFIER"] == Self.program && found.count == 3)
        #expect(found["VALUE"] == value)
    }

    @Test func `records are lost while there is no journal, and arrive when it is there, once or again`() throws {
        let folder = TemporaryDirectory()
        let path = folder.file("journal")
        let journal = JournalSocket(path: path)
        journal.send(["MESSAGE=missing"])
        for number in 1...2 {
            let socket = try unixSocket(SOCK_DGRAM, boundTo: path)
            journal.send(["MESSAGE=\(number)"])
            let record = try #require(Datagram.next(socket))
            #expect(try fields(record.content)["MESSAGE"] == "\(number)")
            close(socket)
            journal.send(["MESSAGE=refused"])
            folder.remove("journal")
        }
    }

    @Test func `the log writes its records there`() throws {
        let folder = TemporaryDirectory()
        let socket = try unixSocket(SOCK_DGRAM, boundTo: folder.file("journal"))
        defer { close(socket) }
        let journal = Journal(to: .journal(JournalSocket(path: folder.file("journal"))), level: .info)
        journal.record(JournalEvent(.warning, name: "A", message: "b"), JournalField("VALUE", "two\nlines"))
        journal.flush()
        let record = try #require(Datagram.next(socket))
        let found = try fields(record.content)
        #expect(found["PRIORITY"] == "4" && found["PASSD_EVENT"] == "A" && found["PASSD_VALUE"] == "two\nlines")
        #expect(found["MESSAGE"] == "b (value=\"two\\nlines\")")
    }
}
