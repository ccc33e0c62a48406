// Runs every trace in the folder.

import FoundationEssentials
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §22: the traces and tables are run") @EngineActor struct TraceTests {
    nonisolated static let traces = TraceFile.all

    @Test func `the traces exist, each with a title of its own`() throws {
        let titles = try Self.traces.map { try $0.script().title }
        #expect(titles.count > 20)
        #expect(Set(titles).count == titles.count)
    }

    @Test(arguments: traces) func `the engine does what the trace says, in its order`(_ file: TraceFile) async throws {
        do {
            try await TraceRunner.play(file.script())
        } catch let failure as TraceFailure {
            Issue.record(
                Comment(rawValue: "\(failure)"),
                sourceLocation: SourceLocation(
                    fileID: "AccessEnablerTests/\(failure.file)", filePath: failure.path, line: failure.line.number,
                    column: 1))
        }
    }
}
