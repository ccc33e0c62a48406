// The exit codes of programs. Numbers above 3 come from sysexits.h. operations.md §1.

package struct ExitCode: RawRepresentable, Sendable, Equatable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let done = ExitCode(rawValue: 0)
    package static let failed = ExitCode(rawValue: 1)
    /// The program has worked, and its answer is no.
    package static let no = ExitCode(rawValue: 3)
    package static let usage = ExitCode(rawValue: 64)
    package static let unreachable = ExitCode(rawValue: 69)
    package static let tryLater = ExitCode(rawValue: 75)
    package static let denied = ExitCode(rawValue: 77)
    package static let configuration = ExitCode(rawValue: 78)

    /// The number that a shell reports for a signal.
    package static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }
}
