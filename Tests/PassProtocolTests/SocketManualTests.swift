// Tests that passd(7) matches the tables of the protocol. PASSD_REGENERATE=1 writes its generated parts.

import PassProtocol
import PassTestKit
import Testing

@Suite struct SocketManualTests {
    @Test func `methods, callbacks, events, types and errors are what the tables print`() throws {
        let parts: KeyValuePairs = [
            "methods": SocketManual.methods, "callbacks": SocketManual.callbacks, "events": SocketManual.events,
            "types": SocketManual.types, "errors": SocketManual.errors, "status codes": SocketManual.statuses,
            "sentences": SocketManual.sentences,
        ]
        #expect(
            try GeneratedFile("docs/man/passd.7", parts: parts).isCurrent(),
            "docs/man/passd.7 is not what the tables print")
    }

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
