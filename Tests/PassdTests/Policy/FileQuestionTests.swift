// Tests the time limits for requests to file systems.

import AccessEnabler
import Dispatch
import PassTestKit
import PassTestTools
import Testing

@testable import PassServer

@Suite("ruling 55: requests to a file system have one second per file, on a separate thread") @EngineActor
struct FileQuestionTests {
    private let clock = VirtualClock()
    private let files = FileQuestions("test.files")
    private let answers = DispatchSemaphore(value: 0)
    private let told = Recorder<Int>()

    /// Sends a request. The answer is a number; 0 means no answer.
    private func ask(_ answer: Int, about paths: [String] = ["/dead"]) {
        Task.immediate { @EngineActor [files, answers, told, clock] in
            let said = await files.answer(by: clock) {
                for path in paths {
                    files.goOn(to: path)
                    answers.wait()
                }
                return answer
            }
            told.append(said ?? 0)
        }
    }

    @Test func `a request without an answer is abandoned after a second, and its file is known`() async {
        ask(1)
        await eventually { files.path == "/dead" }
        clock.advance(by: .seconds(1))
        // The request was at this file only during the first second.
        clock.advance(by: .seconds(1))
        await eventually { told.elements == [0] }
        #expect(files.isStuck)
        ask(2)
        await eventually("no other request is sent") { told.elements == [0, 0] }
        answers.signal()
        await eventually { await !files.isStuck }
        #expect(told.elements == [0, 0], "a late answer is ignored")
    }

    @Test func `each file of a request has one second`() async {
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

    @Test func `a request that never ends is abandoned after ten seconds`() async {
        let paths = (1...10).map { "/\($0)" }
        ask(1, about: paths)
        for path in paths {
            await eventually { files.path == path }
            #expect(told.elements.isEmpty)
            clock.advance(by: .seconds(1))
            if path != paths.last { answers.signal() }
        }
        await eventually { told.elements == [0] }
        answers.signal()
        await eventually { await !files.isStuck }
    }
}
