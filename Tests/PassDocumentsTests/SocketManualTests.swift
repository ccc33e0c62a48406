// Tests that the generated parts of passd(7) contain everything in the tables of the protocol.

import PassProtocol
import Testing

@testable import PassDocuments

@Suite struct SocketManualTests {
    @Test func `every method, callback, event and error has an entry`() {
        for method in MethodTable.all.map({ $0.definition }) {
            #expect(SocketManual.methods.contains(".TP\n\(Roff.bold(method.name))\n"))
        }
        for callback in CallbackTable.all {
            #expect(SocketManual.callbacks.contains("\n\(Roff.bold(callback.name))\n"))
        }
        for event in EventTable.all { #expect(SocketManual.events.contains("\n\(Roff.bold(event.type.rawValue))\n")) }
        for error in ErrorName.named { #expect(SocketManual.errors.contains(" \(Roff.bold(error.text))\n")) }
        for method in MethodTable.all.map({ $0.definition }) {
            for case .unanswered(let status) in method.ownErrors {
                #expect(SocketManual.statuses.contains("\n\(Roff.bold(status.rawValue)) "))
            }
        }
    }
}
