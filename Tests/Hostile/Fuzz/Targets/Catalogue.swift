// Fuzzes the sandbox's own files: the catalogue, and the changes in the state file.

import PassJSON

@testable import PassSandbox

func catalogue(_ bytes: [UInt8]) {
    if let catalogue = try? Catalogue.read(bytes) {
        for integration in catalogue.integrations {
            expect(catalogue.provider(integration.provider) != nil, "\(integration.provider) does not exist")
        }
    }
    guard let value = try? JSONReader.read(bytes) else { return }
    var state = State(random: SeededRandom(number: 1))
    guard (try? state.apply(value)) != nil else { return }
    state.sweep(at: 1_795_564_800_000)
    guard let snapshot = try? state.snapshot() else { return expect(false, "the state cannot be written down") }
    var again = State(random: SeededRandom(number: 1))
    let isRead = (try? JSONValue.read(snapshot)).map { (try? again.apply($0)) != nil } ?? false
    expect(isRead, "what is written down cannot be read")
}
