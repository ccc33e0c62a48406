// Wraps a vault and counts its writes by their outcome.

package import AccessEnabler

package struct CountedVault: TokenVault {
    let vault: any TokenVault
    let meter: Meter

    package init(_ vault: any TokenVault, _ meter: Meter) {
        self.vault = vault
        self.meter = meter
    }

    package func load() async -> VaultContents { await vault.load() }

    package func commit(_ changes: [VaultChange]) async throws(VaultFault) {
        do throws(VaultFault) {
            try await vault.commit(changes)
            meter.count { $0.storeWrite(fault: nil) }
        } catch {
            let isWritten = !changes.isEmpty && !changes.contains { error.rows.contains($0.row) }
            meter.count { $0.storeWrite(fault: isWritten ? nil : error.kind) }
            throw error
        }
    }

    package func health() async -> VaultHealth { await vault.health() }

    package func examine() async -> Bool { await vault.examine() }
}
