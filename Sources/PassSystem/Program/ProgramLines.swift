// Cuts a program's output into lines. Limits the output that the program may print between two lines from the daemon. This type
// does no I/O.

struct ProgramLines {
    private let limits: LineProgram.Limits
    private var line: [UInt8] = []
    private var allowance: (bytes: Int, lines: Int)

    init(_ limits: LineProgram.Limits) {
        self.limits = limits
        allowance = (limits.unaskedBytes, limits.unaskedLines)
    }

    /// Allows the full amount of output again. Call this when the program gets a line.
    mutating func renewAllowance() { allowance = (limits.unaskedBytes, limits.unaskedLines) }

    /// Passes each line to `hear` and skips empty lines. Returns a fault for too much output or a line that is too long.
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
