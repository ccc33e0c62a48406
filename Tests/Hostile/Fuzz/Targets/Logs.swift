// Fuzzes the inspection of a write-ahead log with any kind of damage.

@testable import PassVault

/// Inspects the input unchanged, and again with repaired checksums, so that the inspection goes further.
func logs(_ bytes: [UInt8]) {
    _ = LogInspection.inspect(bytes)
    guard let log = mended(bytes) else { return }
    _ = LogInspection.inspect(log)
}

/// Repairs salts and checksums of every second frame. The page size is the smallest possible, so that a short input has
/// many frames.
private func mended(_ bytes: [UInt8]) -> [UInt8]? {
    var log = bytes
    guard log.count > 32 + 24 + 512 else { return nil }
    log.replaceSubrange(0..<4, with: [0x37, 0x7F, 0x06, 0x82 | log[3] & 1])
    log.replaceSubrange(8..<12, with: [0, 0, 2, 0])
    var sum = Sum(isBigEndian: log[3] & 1 == 1)
    sum.add(log[0..<24])
    sum.write(&log, 24)
    var start = 32
    while start + 24 + 512 <= log.count {
        if log[start + 8] & 3 != 3 { log.replaceSubrange(start + 8..<start + 16, with: log[16..<24]) }
        sum.add(log[start..<start + 8])
        sum.add(log[start + 24..<start + 24 + 512])
        if log[start + 16] & 3 != 3 { sum.write(&log, start + 16) }
        start += 24 + 512
    }
    return log
}

/// SQLite's checksum, written independently of the code under test.
private struct Sum {
    let isBigEndian: Bool
    var one: UInt32 = 0
    var two: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for index in stride(from: bytes.startIndex, to: bytes.endIndex - 7, by: 8) {
            one &+= word(bytes, index) &+ two
            two &+= word(bytes, index + 4) &+ one
        }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
        let word = bytes[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return isBigEndian ? word : word.byteSwapped
    }

    func write(_ log: inout [UInt8], _ index: Int) {
        for (offset, word) in [one, two].enumerated() {
            for byte in 0..<4 { log[index + offset * 4 + byte] = UInt8(truncatingIfNeeded: word >> (24 - 8 * byte)) }
        }
    }
}
