// How much the store takes. Far beyond what a television needs, and well below what would hurt one.
// Architecture §5.3.

import AccessEnabler

struct VaultLimits: Sendable {
    /// Of one field.
    var valueBytes = 64 << 10
    /// Of each kind.
    var rows = 4096

    /// For rows that are there already.
    static let none = VaultLimits(valueBytes: .max, rows: .max)

    /// What a commit would make too many of. Where there are too many already, fewer is always allowed.
    func exceeded(from old: VaultContents, to new: VaultContents) -> String? {
        relations.first { count($0, new) > rows && count($0, new) > count($0, old) }?.table
    }

    private func count<R: Relation>(_: R.Type, _ contents: VaultContents) -> Int { R.all(in: contents).count }
}
