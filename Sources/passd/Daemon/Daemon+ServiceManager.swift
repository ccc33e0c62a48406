// The daemon's communication with the service manager: status line, watchdog, and clients kept over a restart. operations.md
// §3.

import AccessEnabler
import Dispatch
import Glibc
import PassPlatform
import PassServer
import PassSystem
import PassVault
import PassWire

extension Daemon {
    /// If a poll is later than this, the poller counts as stuck.
    private static let latestPoll = Duration.seconds(5)

    func reportToServiceManager(
        _ server: Server, engine: Engine, vault: Vault, listeners: [Listener]
    ) throws(Failure) {
        let status = ServiceStatus(clock, line: { [unowned server] in server.statusLine() }) {
            ServiceNotification.status($0).send()
        }
        server.onChange = { status.changed() }
        status.tell()
        guard let interval = ServiceNotification.watchdogInterval else { return }
        let watchdog = Watchdog(
            limit: interval * 2, ask: Self.question(engine, clock: clock, vault: vault, doors: listeners),
            tell: { [journal] news in journal.record(news) })
        // The daemon does not start without this timer. The timer tells the service manager that the daemon is alive, and
        // without these messages, the service manager would end the daemon.
        do throws(TimerFault) { try watchdog.start() } catch { throw Failure(description: "no timer: \(error)") }
        self.watchdog = watchdog
    }

    /// Hands the clients to the service manager for the next start. Call this when the daemon stops.
    func handOverClients(of server: Server) async {
        await server.handOver(over: .milliseconds(20), by: clock) { DescriptorStore.keep($0, with: $1, as: $2) }
    }

    /// Takes back the clients that the service manager kept. The start does not wait for this, because the clients may need the
    /// service. A client with a missing or unreadable note is closed, and the other clients continue.
    func restoreClients(_ kept: [String: [Int32]], _ server: Server) {
        for (name, descriptors) in kept {
            DescriptorStore.forget(name)
            guard let (number, note) = KeptDescriptors.take(descriptors, maxNoteSize: KeptClient.maxNoteSize) else {
                continue
            }
            let connection = Descriptor(adopting: number)
            guard let client = KeptClient(note: note) else { continue }
            let taken = connection.release()
            Task { @EngineActor in await server.restore(client, on: Descriptor(adopting: taken)) }
        }
    }

    private static func question(
        _ engine: Engine, clock: BoxClock, vault: Vault, doors: [Listener]
    ) -> Watchdog.Question {
        { part, answer in
            switch part {
            case .engine: EngineActor.queue.async(execute: answer)
            case .acceptance:
                EngineActor.queue.async {
                    EngineActor.assumeIsolated { Self.ask(doors[...], answer) }
                }
            case .poller:
                _ = clock.alarm(at: clock.boot) { if !engine.hasMissedPoll(by: latestPoll) { answer() } }
            case .storage:
                Task {
                    await vault.answer()
                    answer()
                }
            }
        }
    }

    /// Asks the listeners, one after the other, whether they can accept connections. Calls `answer` when all have answered.
    private static func ask(_ doors: ArraySlice<Listener>, _ answer: @escaping @Sendable () -> Void) {
        guard let door = doors.first else { return answer() }
        door.ask { EngineActor.assumeIsolated { ask(doors.dropFirst(), answer) } }
    }
}

extension Journal {
    func record(_ news: Watchdog.News) {
        switch news {
        case .stuck(let part): record(.stuck, JournalField("PART", part.rawValue))
        case .recovered(let part): record(.recovered, JournalField("PART", part.rawValue))
        }
    }
}
