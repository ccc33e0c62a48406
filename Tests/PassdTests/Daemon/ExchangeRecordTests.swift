// Tests the record of requests that `passd.record` begins and ends. rpc.md §7.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassDaemon

@Suite struct ExchangeRecordTests {
    private let clock = VirtualClock()

    @Test func `requests are kept only between begin and end, and of too many the first are kept`() {
        let record = ExchangeRecord { [clock] in clock.boot }
        record.note {
            Issue.record("nothing is described while nothing is recorded"); return .null
        }
        #expect(record.turn(on: true)["exchanges"] == [])
        for number in 0...Record.maxExchanges { record.note { .int(Int64(number)) } }
        let kept = record.turn(on: false)
        #expect(
            kept["exchanges"]?.array == (0..<Record.maxExchanges).map { .int(Int64($0)) } && kept["complete"] == false)
        #expect(record.turn(on: false)["exchanges"] == [])
    }

    @Test func `a later call returns new records, and leaves the rest to the next call`() {
        let record = ExchangeRecord { [clock] in clock.boot }
        _ = record.turn(on: true)
        for number in 0...Record.maxExchanges { record.note { .int(Int64(number)) } }
        let first = record.turn(on: true)
        #expect(first["exchanges"]?.array?.count == Record.maxExchanges && first["complete"] == false)
        record.note { 7 }
        let second = record.turn(on: true)
        #expect(second["exchanges"] == [7] && second["complete"] == true)
        #expect(record.turn(on: false)["exchanges"] == [])
    }

    @EngineActor @Test func `after a quarter of an hour nothing is added, and after another the record is dropped`() {
        let record = ExchangeRecord { [clock] in clock.boot }
        _ = record.turn(on: true)
        record.note { 1 }
        clock.advance(by: .seconds(Record.maxSeconds))
        record.note { 2 }
        var kept = record.turn(on: false)
        #expect(kept["exchanges"] == [1] && kept["complete"] == false)
        _ = record.turn(on: true)
        record.note { 3 }
        clock.advance(by: .seconds(2 * Record.maxSeconds))
        record.note { 4 }
        kept = record.turn(on: false)
        #expect(kept["exchanges"] == [])
    }
}
