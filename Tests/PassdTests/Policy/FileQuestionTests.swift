// Tests the time limits for questions to file systems.

import AccessEnabler
import Dispatch
import PassTestKit
import PassTestTools
import Testing

@testable import PassServer

@Suite("ruling 55: a file system has a second for each file, on a thread of its own") @EngineActor
struct FileQuestionTests {
    private let clock = VirtualClock()
    private let files = FileQuestions("test.files")
    private let answers = DispatchSemaphore(value: 0)
    private let told = Recorder<Int>()

    /// An answer is a number; 0 means that there was none.
    private func ask(_ answer: Int, about paths: [String] = ["/dead"]) {
        files.ask(
            by: clock,
            { [files, answers] in
                for path in paths {
                    files.goOn(to: path)
                    answers.wait()
                }
                return answer
            }
        ) { [told] in told.append($0 ?? 0) }
    }

    @Test func `without an answer the question is given up after a second, and the file is known`() async {
        ask(1)
        await eventually { files.path == "/dead" }
        clock.advance(by: .seconds(1))
        // The question came to this file only during the first second.
        clock.advance(by: .seconds(1))
        await eventually { told.elements == [0] }
        #expect(files.isStuck)
        ask(2)
        #expect(told.elements == [0, 0], "no other question is asked")
        answers.signal()
        await eventually { await !files.isStuck }
        #expect(told.elements == [0, 0], "an answer that comes late is nobody's")
    }

    @Test func `each file of a question has its second`() async {
        ask(1, about: ["/1", "/2", "/3"])
        for path in ["/1", "/2", "/3"] {
            await eventually { files.path == path }
            clock.advance(by: .seconds(1))
            #expect(told.elements.isEmpty)
            answers.signal()
        }
        await eventually { told.elements == [1] }
        #expect(!files.isStuck)
    }

    @Test func `a question that never ends is given up after ten seconds`() async {
        let paths = (1...10).map { "/\($0)" }
        ask(1, about: paths)
        for path in paths {
            await eventually { files.path == path }
            #expect(told.elements.isEmpty)
            clock.advance(by: .seconds(1))
            if path != paths.last { answers.signal() }
        }
        #expect(told.elements == [0])
        answers.signal()
        await eventually { await !files.isStuck }
    }
}
