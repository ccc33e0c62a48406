// Writes passd's record of its requests to the service into a new file. The record is read every second, so that a restart of
// passd loses only the last second. docs/first-contact.md.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

struct ExchangeFile: Sendable {
    let path: String
    let console: any Console
    let connect: @Sendable () async throws -> Client
    var client: Client?
    var count: Int64 = 0
    var isWhole = true

    /// Records until Enter is pressed, for at most 15 minutes.
    mutating func record() async throws {
        let client = try await connect()
        self.client = client
        // The file is created before the viewer signs in, so that an unwritable file is reported early.
        try OutputFile.create(path, with: "")
        _ = try await client.call(Record.self, .init(isOn: true))
        console.warn("Sign in on the TV, or with passd-cli login in another terminal. Press Enter after the sign-in. ")
        var seconds = 0
        for await isTick in ticks() {
            guard isTick, seconds < Record.maxSeconds else { break }
            seconds += 1
            try await fetch(goingOn: true)
        }
        try await fetch(goingOn: false)
        console.warn(
            "\(counted(count, "request")) in \(path.onOneLine)." + (isWhole ? "" : " Some requests are missing.") + "\n"
        )
    }

    private mutating func fetch(goingOn: Bool) async throws {
        do {
            let client = if let client { client } else { try await connect() }
            self.client = client
            let record = try await client.call(Record.self, .init(isOn: goingOn))
            let lines = record.list("exchanges").map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) + "\n" }
            if !lines.isEmpty { try OutputFile.append(lines.joined(), to: path) }
            count += Int64(lines.count)
            if record["complete"]?.bool == false { isWhole = false }
        } catch let fault as ClientFault {
            guard LoginConnection.mayPass(fault) else { throw fault }
            if client != nil { console.tell("The connection to passd was lost; connecting again.") }
            (client, isWhole) = (nil, false)
        }
    }

    /// A stream with the value true for each second, and the value false when Enter is pressed.
    private func ticks() -> AsyncStream<Bool> {
        .merged(
            { [console] events in for await _ in console.ticks() { events.yield(true) } },
            { [console] events in
                _ = await console.readLine()
                events.yield(false)
            })
    }
}
