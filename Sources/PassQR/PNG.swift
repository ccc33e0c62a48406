// A PNG file with one bit for each pixel. The pixels are not compressed, because a code is small, and compression would need a
// library (PNG specification; RFC 1950, RFC 1951 §3.2.4).

import PassProtocol

struct PNG {
    let bytes: [UInt8]

    /// The approximate side of the picture in pixels. It is not exact, because each module has a whole number of pixels.
    private static let usualSide = 400
    /// The max size of an uncompressed block, in bytes.
    private static let longestBlock = 65_535

    init(_ code: QRCode) {
        let modules = code.size + 2 * QRPicture.quiet
        let scale = max(2, Self.usualSide / modules)
        let side = modules * scale
        var pixels: [UInt8] = []
        for row in 0..<modules {
            var line = [UInt8](repeating: 0, count: (side + 7) / 8)
            for x in 0..<side
            where !code.isDark(row - QRPicture.quiet, x / scale - QRPicture.quiet) {
                line[x / 8] |= 0x80 >> UInt8(x % 8)
            }
            // Each line begins with the number of its filter. Zero means no filter.
            for _ in 0..<scale { pixels += [0] + line }
        }
        let header = Self.big(UInt32(side)) + Self.big(UInt32(side)) + [1, 0, 0, 0, 0]
        bytes =
            [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", Self.stored(pixels)) + Self.chunk("IEND", [])
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return big(UInt32(data.count)) + content + big(checksum(content))
    }

    /// Computes the CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
    }

    /// Makes a zlib stream of uncompressed blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = data[...]
        repeat {
            let block = rest.prefix(longestBlock)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [size, ~size] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            stream += block
        } while !rest.isEmpty
        // The checksum is Adler-32.
        let (low, high) = data.reduce((1 as UInt32, 0 as UInt32)) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return stream + big(high << 16 | low)
    }
}
