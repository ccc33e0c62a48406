// Tests reloads that are requested while another reload runs.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassServer

@Suite("operations.md §2: one reload runs at a time") @EngineActor struct ReloadTurnTests {
    private let turns = ReloadTurns()
    private let lines = Recorder<String>()

    private func reload(_ name: String, after gate: AsyncStream<Never>? = nil) -> Task<JSONValue, Never> {
        Task { @EngineActor in
            lines.append("\(name) is asked for")
            return await turns.run { [lines] in
                lines.append("\(name) begins")
                if let gate { for await _ in gate {} }
                lines.append("\(name) ends")
                return Reload.result(isApplied: true, problems: [name])
            }
        }
    }

    @Test func `several requests during a reload cause one further reload`() async {
        let (gate, key) = AsyncStream<Never>.makeStream()
        let first = reload("first", after: gate)
        await eventually { lines.elements.last == "first begins" }
        let others = ["second", "third"].map { reload($0) }
        await eventually { lines.elements.count == 4 }
        key.finish()
        #expect(await first.value["problems"] == ["first"])
        for other in others { #expect(await other.value["problems"] == ["second"]) }
        #expect(
            lines.elements == [
                "first is asked for", "first begins", "second is asked for", "third is asked for", "first ends",
                "second begins", "second ends",
            ])
        #expect(await reload("fourth").value["problems"] == ["fourth"])
    }
}
