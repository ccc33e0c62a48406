// What `setRequestor` does to storage before the service is asked: checks that the app wants, and tokens of older layouts.
// Contract: access-enabler.md §5.2, §6.1 item 4; open-questions.md OQ-16.

import PassProtocol

extension Engine {
    /// `all` erases if anything is wrong, `clear` always; only what belongs to the app. It is silent for the app that
    /// asked, and others hear that they are logged out. rpc.md §5.
    func check(
        _ check: SetRequestor.StorageCheck, _ requestors: Set<RequestorID>, mayEraseAll: Bool, for session: Session
    ) async {
        switch check {
        case .none: return
        case .all: if memory.fault == nil, await ports.vault.examine() { return }
        case .clear: break
        }
        await erase(mayEraseAll ? nil : requestors, for: session)
    }

    /// Of these requestors; nil: of all. Registrations stay: they are not logins. Contract: dcr.md §7.
    private func erase(_ requestors: Set<RequestorID>?, for session: Session) async {
        func isMeant(_ requestor: RequestorID) -> Bool { requestors?.contains(requestor) ?? true }
        let told = Set(memory.contents.profiles.keys.map(\.login)).compactMap { key in
            isMeant(key.requestor) ? login(of: key).map { (key, $0.provider) } : nil
        }
        var changes: [VaultChange] = []
        memory.endUnread(tellingService: true) { isMeant($0.requestor) }
        let places = memory.contents.profiles.keys.filter { isMeant($0.requestor) }
        if requestors == nil { epochs.turnAll() }
        inquiries.end(places)
        for place in places {
            // The viewer is logged out: what the service still knows must not come back with its next answer.
            changes += [.profile(place, nil), .tombstone(place, true)]
            recollections[place] = nil
            epochs.turn(place.login)
        }
        changes += memory.contents.selections.keys.filter(isMeant).map { .selection($0, nil) }
        await memory.commit(changes)
        await ports.importer?.forget(requestors)
        await tellOfLogout(told.sorted { $0.0.requestor < $1.0.requestor }, except: session)
        sweepTombstones()
    }

    /// Only where there is no good login. The service has the last word about it, right after. A token of another
    /// device, or one that has ended, is none.
    func importTokens(_ key: LoginKey) async {
        guard let importer = ports.importer, login(of: key) == nil else { return }
        let now = now
        let epoch = epochs.joint(key)
        let found = await importer.logins(for: key.requestor)
        // What was read before a logout, or names a login that has yet to be ended at the service, is none.
        guard epoch == epochs.joint(key), login(of: key) == nil,
            let login = found.first(where: { login in
                login.fingerprint == device.rawValue && now < login.expires
                    && !memory.contents.tombstones.contains(key.profile(at: login.provider))
            })
        else { return }
        let profile = Profile(
            provider: login.provider, kind: .regular, issuer: login.provider.rawValue, notBefore: now,
            notAfter: login.expires, attributes: [:])
        let selection = Selection(provider: provider(login.provider, key), canAuthenticate: true)
        await telling(key.requestor, except: nil) {
            await memory.commit([
                .profile(key.profile(at: login.provider), profile), .selection(key.requestor, selection),
            ])
        }
    }
}
