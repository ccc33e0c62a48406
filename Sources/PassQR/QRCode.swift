// Encodes an address as a QR code: a square of dark and light modules. The library libqrencode is loaded when the first code is
// made.

import CQREncode

package struct QRCode: Sendable, Equatable {
    /// The reason why there is no code, as a sentence.
    package struct Fault: Error, Equatable, CustomStringConvertible { package let description: String }

    /// The number of modules along one side.
    package let size: Int
    private let dark: [Bool]

    /// The max size of the text, in bytes. If an address is longer, phones cannot read its code from a TV.
    package static let longest = 1024

    package init(_ text: String) throws(Fault) {
        if let trouble = pass_qr_load() {
            throw Fault(description: "The library for QR codes, libqrencode, is missing: \(String(cString: trouble)).")
        }
        // The code has the smallest possible size, and the strongest error correction that fits into this size.
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0), var best = Self.encoded(text, 0) else {
            throw Fault(description: "The address does not fit into a QR code; it may have \(Self.longest) bytes.")
        }
        for level in Int32(1)...3 {
            guard let better = Self.encoded(text, level), better.size == best.size else { break }
            best = better
        }
        (size, dark) = best
    }

    /// Whether the module is dark. Everything outside of the code is light.
    package func isDark(_ row: Int, _ column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return dark[row * size + column]
    }

    private static func encoded(_ text: String, _ level: Int32) -> (size: Int, dark: [Bool])? {
        var modules: UnsafeMutablePointer<UInt8>?
        let size = Int(pass_qr_encode(text, level, &modules))
        guard size > 0, let modules else { return nil }
        defer { pass_qr_free(modules) }
        return (size, UnsafeBufferPointer(start: modules, count: size * size).map { $0 & 1 == 1 })
    }
}
