// Checks at the start whether the box is still the device for which the logins were made. If the device has changed, the
// service does not accept the logins, and passd removes them. Contract: access-enabler.md §6.1 item 5, §10.

@EngineActor public struct DeviceChangeCheck {
    let device: DeviceID
    /// The requestors that lost a login. Their apps get `SEC412`.
    var requestors: Set<RequestorID> { Set(ended.map(\.requestor)) }
    var ended: [ProfileKey] = []
    /// A problem for operators; nil if there is none.
    var problem: String?

    /// Stores the identity at the first start. Throws only if the identity cannot be read and no identity is stored.
    static func run(
        _ memory: Memory, _ identity: any DeviceIdentity
    ) async throws(DeviceIdentityFault) -> DeviceChangeCheck {
        let current: DeviceID
        do throws(DeviceIdentityFault) { current = try await identity.current() } catch {
            // If the identity cannot be read now, the stored one is assumed to be valid.
            guard let known = memory.contents.device else { throw error }
            return DeviceChangeCheck(device: known, problem: error.explanation)
        }
        guard let known = memory.contents.device, known != current else {
            await memory.commit([.device(current)])
            return DeviceChangeCheck(device: current)
        }
        let ended = memory.contents.profiles.keys.sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
        await memory.commit(changes(to: current, memory.contents))
        return DeviceChangeCheck(
            device: current, ended: ended,
            problem: "the logins were made for another device, so they were removed")
    }

    /// Whether the store was filled on another device. False if that cannot be determined.
    public static func isForeign(_ contents: VaultContents, _ identity: any DeviceIdentity) async -> Bool {
        guard let known = contents.device, let current = try? await identity.current() else { return false }
        return known != current
    }

    /// The changes for a store that was filled on another device. Selections are kept, but the next login shows the picker.
    /// passd cannot report the end of the logins, because the service knows them by the former device's identity. Registrations
    /// are removed, too, because this box is another client.
    private static func changes(to device: DeviceID, _ contents: VaultContents) -> [VaultChange] {
        var changes = [VaultChange.device(device)]
        changes += contents.registrations.keys.map { .registration($0, nil) }
        changes += contents.profiles.keys.map { .profile($0, nil) }
        changes += contents.tombstones.map { .tombstone($0, false) } + contents.lapsed.map { .lapse($0, false) }
        changes += contents.openLogins.keys.map { .openLogin($0, nil) }
        changes += contents.selections.map {
            .selection($0.key, Selection(provider: $0.value.provider, canAuthenticate: false))
        }
        return changes
    }
}
