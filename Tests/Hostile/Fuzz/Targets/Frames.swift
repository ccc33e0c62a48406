// Fuzzes framing. A stream must give the same messages in any pieces, and the reader must keep little data.

import PassWire

/// The first byte chooses the limit, the second byte the pieces. The other bytes are the stream.
func frames(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let limit = [0, 1, 16, 256, 4096][Int(input.byte()) % 5]
    var cuts = Int(input.byte())
    let stream = Array(input.rest)

    var whole = FrameReader(limit: limit)
    whole.append(stream)
    let messages = read(&whole, limit)

    var pieces = FrameReader(limit: limit)
    var collected: [FrameReader.Output] = []
    var rest = stream[...]
    while !rest.isEmpty {
        cuts = (cuts &* 5 &+ 3) & 0xFF
        let piece = Array(rest.prefix(1 + cuts % 37))
        rest = rest.dropFirst(piece.count)
        pieces.append(piece)
        collected += read(&pieces, limit)
        expect(pieces.bufferedBytes <= max(limit, 1024) + 2, "\(pieces.bufferedBytes) bytes wait for the rest")
    }
    // A line of blanks is not a message. Its length is only checked while its end is missing.
    let isBroken = collected.last.map { if case .fault = $0 { true } else { false } } ?? false
    if isBroken { collected.removeLast() }
    expect(isBroken ? messages.starts(with: collected) : messages == collected, "the pieces say something else")
    // This check takes a hundred times as long as the others, so it runs only for some inputs.
    if bytes.count < 256, bytes.count > 1, bytes[1] & 7 == 0 { listenLong(to: stream, limit) }
}

private func read(_ reader: inout FrameReader, _ limit: Int) -> [FrameReader.Output] {
    var outputs: [FrameReader.Output] = []
    while let output = reader.next() {
        if case .message(let message) = output { expect(message.count <= limit, "a message is too large") }
        outputs.append(output)
    }
    return outputs
}

/// Simulates a peer that never ends its last message. The earlier messages must not be kept.
private func listenLong(to stream: [UInt8], _ limit: Int) {
    guard !stream.isEmpty else { return }
    let chunk = Array(repeatElement(stream, count: 1 + 4096 / stream.count).joined())
    _ = within(256 << 10) {
        var reader = FrameReader(limit: limit)
        var sent = 0
        while sent < 512 << 10 {
            reader.append(chunk)
            while reader.next() != nil {}
            sent += chunk.count
        }
        return reader
    }
}
