// The journal's own socket. Each record is one datagram, in systemd's "Native Journal Protocol", which is stable: a field
// in each line, or a name, a length and a value of any content. A record that is too long for a datagram goes into a
// file in memory, whose descriptor is sent. While there is no journal, records are lost; there is no other place to
// report that.

import CLinux
import Glibc

struct JournalSocket: Sendable {
    private let socket: DatagramSocket?

    init(path: String = "/run/systemd/journal/socket") { socket = DatagramSocket(to: path) }

    /// The fields are `NAME=value`. The name of the program is added.
    func send(_ fields: [String]) {
        let identifier = "SYSLOG_IDENTIFIER=" + String(cString: pass_program_name())
        var content: [UInt8] = []
        for field in fields + [identifier] { Self.append(field, to: &content) }
        do { try socket?.send(content) } catch {
            guard [EMSGSIZE, ENOBUFS].contains(error.reason), let file = MemoryFile.sealed(content) else { return }
            defer { close(file) }
            try? socket?.send([], with: [file])
        }
    }

    private static func append(_ field: String, to content: inout [UInt8]) {
        let lineBreak = UInt8(ascii: "\n")
        let bytes = field.utf8
        if bytes.contains(lineBreak) {
            let name = bytes.prefix { $0 != UInt8(ascii: "=") }
            let value = bytes.dropFirst(name.count + 1)
            content += name
            content.append(lineBreak)
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { content += $0 }
            content += value
        } else {
            content += bytes
        }
        content.append(lineBreak)
    }
}
