// What a program prints, cut into lines, and how much of it may come before it is spoken to again. Pure.

struct ProgramLines {
    private let limits: LineProgram.Limits
    private var line: [UInt8] = []
    private var allowance: (bytes: Int, lines: Int)

    init(_ limits: LineProgram.Limits) {
        self.limits = limits
        allowance = (limits.unaskedBytes, limits.unaskedLines)
    }

    /// It was spoken to.
    mutating func renewAllowance() { allowance = (limits.unaskedBytes, limits.unaskedLines) }

    /// Empty lines are not heard. Not nil if the program has said more than it may: what follows is not for us.
    mutating func take(_ bytes: [UInt8], hear: ([UInt8]) -> Void) -> LineProgram.Ending? {
        allowance.bytes -= bytes.count
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                if line.count > limits.lineBytes { return .lineTooLong(limit: limits.lineBytes) }
                continue
            }
            allowance.lines -= 1
            if allowance.lines < 0 { return .tooMuch }
            if !line.isEmpty { hear(line) }
            line.removeAll(keepingCapacity: true)
        }
        return allowance.bytes < 0 ? .tooMuch : nil
    }
}
