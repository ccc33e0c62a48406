// Exports and imports the store as a backup. rpc.md §7.

import AccessEnabler
import PassArguments
import PassConfiguration
import PassProtocol
import PassServer
import PassSystem
import PassVault
import PassWire

extension Daemon {
    /// The max size of the message without the backup, with some room for escaped characters.
    private static let envelope = 1024

    func exportStore() async throws(RPCError) -> (backup: String, logins: Int, apps: Int) {
        guard let vault, let engine, let server else { throw .notReady(.starting) }
        await engine.flush()
        let backup: StoreBackup
        do throws(BackupFault) { backup = try await vault.backUp() } catch { throw RPCError(error) }
        // The backup has to fit into the message of an import.
        let (size, limit) = (
            backup.text.utf8.count + Self.envelope, server.state.loaded.configuration.limits.connection.messageSize
        )
        guard size <= limit else {
            throw .unfitStore(
                "The backup has \(backup.text.utf8.count) bytes, but a message may have at most \(limit).",
                remedy: "Set message-size in [limits] to \(size) or more, and reload.", limit: limit)
        }
        return (backup.text, backup.logins, backup.apps)
    }

    /// Imports the rows of a backup into the store, and ends the daemon, because the engine and the backend still have the
    /// former rows. The next process begins with the imported rows. Apps lose their connections and have to connect again.
    func importStore(_ backup: String) async throws(RPCError) -> (logins: Int, restarts: Bool) {
        guard let vault, let engine, let server else { throw .notReady(.starting) }
        server.holdCalls(true)
        // Some logouts that the service has not accepted yet are only in memory. They are stored now, because the import must
        // not lose them.
        await engine.flush()
        let contents: VaultContents
        do throws(BackupFault) { contents = try await vault.restore(backup) } catch {
            server.holdCalls(false)
            throw RPCError(error)
        }
        engine.tellReplacedStore(with: contents.profiles)
        // With this exit status, the service manager starts the daemon again. See passd.service.
        Task { @EngineActor in await stop(.tryLater) }
        return (contents.profiles.count, ServiceNotification.isHeard)
    }
}

extension RPCError {
    fileprivate init(_ fault: BackupFault) {
        self =
            switch fault.kind {
            case .backup: .badBackup(fault.explanation, remedy: fault.remedy)
            case .store: .unfitStore(fault.explanation, remedy: fault.remedy)
            }
    }
}
