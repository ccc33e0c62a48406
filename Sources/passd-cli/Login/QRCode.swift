// Encodes an address as the modules of a QR code, by libqrencode.

import CQREncode

struct QRCode: Sendable, Equatable {
    /// The number of modules along one side.
    let size: Int
    private let dark: [Bool]

    /// Nil if the text is too long for a QR code.
    init?(_ text: String) {
        // Takes the smallest symbol, with the strongest error correction that fits into that size.
        guard var best = Self.encoded(text, QR_ECLEVEL_L) else { return nil }
        for level in [QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H] {
            guard let better = Self.encoded(text, level), better.size == best.size else { break }
            best = better
        }
        (size, dark) = best
    }

    /// False outside of the symbol, since the quiet zone is light.
    func isDark(_ row: Int, _ column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return dark[row * size + column]
    }

    private static func encoded(_ text: String, _ level: QRecLevel) -> (size: Int, dark: [Bool])? {
        guard let code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        return (size, UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 })
    }
}
