// Collects an answer as it arrives, copied from libcurl's buffers and limited in size. Owned by its `Transfer`.

import Glibc

struct Reception {
    static let maxHeaderBytes = 64 << 10
    static let maxHeaders = 128

    let bodyLimit: Int
    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    private(set) var isHeaderComplete = false
    private(set) var isTooLarge = false
    private var headerBytes = 0

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// Whether nothing has arrived.
    var isEmpty: Bool { headerBytes == 0 }

    /// Returns false to end the transfer.
    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.maxHeaderBytes else { return overflow() }
        let text = String(decoding: line, as: UTF8.self)
        if text.utf8.starts(with: "HTTP/".utf8) {
            // The status line, of this answer or of the one after an interim answer.
            headers = HTTPHeaders()
            isHeaderComplete = false
        } else if text == "\r\n" || text == "\n" {
            isHeaderComplete = true
        } else if body.isEmpty, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            guard headers.fields.count < Self.maxHeaders else { return overflow() }
            headers.append(trimmed(text[..<colon]), trimmed(text[text.utf8.index(after: colon)...]))
        }
        return true
    }

    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= bodyLimit else { return overflow() }
        body.append(contentsOf: bytes)
        return true
    }

    private mutating func overflow() -> Bool {
        isTooLarge = true
        return false
    }

    private func trimmed(_ text: Substring) -> String {
        let bytes = text.utf8.drop { $0 <= 0x20 }
        let end: Substring.Index = bytes.lastIndex { $0 > 0x20 }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(bytes[..<end]) ?? ""
    }
}
