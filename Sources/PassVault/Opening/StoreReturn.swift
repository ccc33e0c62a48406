// Restores a store that was set aside because its key was missing. The store is restored only if there was no login or logout
// in the meantime, so that no login is lost. One of the two stores is complete at any moment.

import AccessEnabler
import Glibc

/// Reports that a store that was set aside is in use again.
public struct RestoredStore: Hashable, Sendable {
    /// The store's file name while the store was set aside.
    public var name: String
    public var logins: Int
}

struct StoreReturn {
    let builder: StoreBuilder
    private var directory: StateDirectory { builder.directory }

    /// Replaces the present store by a store that was set aside, if the present store has no login. If this fails before the
    /// new store is complete, nothing has changed.
    func take(_ opened: inout OpenedStore) throws(DatabaseFault) {
        guard builder.configuration.integrityCheck == .none, case .durable(let present) = opened.durability,
            opened.contents.profiles.isEmpty, StoreNote.waits(present)
        else { return }
        let stores = aside.reversed()
        let whole = stores.filter { $0.contents != nil }
        guard let found = whole.first(where: { $0.logins != 0 }) ?? whole.first, let former = found.contents else {
            return
        }
        // Stores that were set aside later and have no login are no longer needed.
        let needless = stores.prefix { $0.name != found.name }.filter { $0.logins == 0 }.map(\.name)
        let contents = Self.united(former, opened.contents)
        do throws(DatabaseFault) {
            try builder.draft(contents, .made([found.name] + needless), named: directory.returning)
        } catch { return }
        present.abandon()
        opened.contents = contents
        opened.durability = .closed
        try finish()
        opened.durability = .durable(try builder.open())
        opened.warnings.removeAll { $0.code == VaultHealth.Warning.keyChangedCode }
        opened.restoredStore = RestoredStore(name: found.name, logins: contents.profiles.count)
    }

    /// Puts the returning store in place. If passd was killed during an earlier call, this finishes the work.
    func finish() throws(DatabaseFault) {
        guard try builder.isWhole(directory.returning) else { return }
        for suffix in SetAside.suffixes { unlink(directory.database + suffix) }
        directory.sync()
        guard rename(directory.returning, directory.database) == 0 else {
            throw builder.fault("putting the former store in place")
        }
        directory.sync()
    }

    /// Removes the stores from which the present store was made.
    func tidy(_ opened: OpenedStore) {
        guard case .durable(let database) = opened.durability else { return }
        let names = StoreNote.madeOf(database)
        guard !names.isEmpty else { return }
        let setAside = SetAside(directory: directory, now: builder.configuration.now())
        let known = setAside.names
        for name in names where known.contains(name) { setAside.remove(name) }
        directory.sync()
        try? database.run(StoreNote.isTidy)
    }

    /// Stores that were set aside because of their key, oldest first; damaged ones are left out.
    private var aside: [AsideStore] {
        let timeLimit = ProcessorTimeLimit(ProcessorTimeLimit.examination)
        return SetAside(directory: directory, now: builder.configuration.now()).newest
            .filter { $0.hasPrefix("passd.db.unreadable-") }
            .map {
                AsideStore(
                    $0, in: directory, schema: builder.configuration.schema, keyring: builder.keyring,
                    timeLimit: timeLimit)
            }
    }

    /// The former contents, without the logins that have ended since then.
    private static func united(_ former: VaultContents, _ present: VaultContents) -> VaultContents {
        var contents = former
        contents.device = former.device ?? present.device
        contents.deviceKey = former.deviceKey ?? present.deviceKey
        for place in present.tombstones {
            contents.profiles[place] = nil
            contents.tombstones.insert(place)
        }
        contents.lapsed.formUnion(present.lapsed)
        return contents
    }
}
