// Identifies the call that causes some work. The mark is a task-local value, so that the engine and the backend can read it,
// too. With the mark, all journal records of one call have the same `PASSD_REQUEST=`. Work without a call, such as a poll, has
// no mark.

package import PassSystem

package struct CallMark: Sendable {
    @TaskLocal package static var current: CallMark?

    /// The number of the call since the start of the daemon. Calls from different runs of the daemon may have the same number.
    /// In the journal, these calls differ in the journal's own fields, such as the process.
    let request: Int
    let method: String
    let app: String?
    var title: String?

    package var fields: [JournalField] {
        [JournalField("REQUEST", request), JournalField("METHOD", method)] + JournalField.app(app, title)
    }
}

extension JournalField {
    /// The fields for an app, and for its title if its stanza has one.
    static func app(_ name: String?, _ title: String?) -> [JournalField] {
        (name.map { [JournalField("APP", $0)] } ?? []) + (title.map { [JournalField("APP_TITLE", $0)] } ?? [])
    }
}
