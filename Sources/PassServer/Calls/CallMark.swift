// What is done on whose behalf: a call's mark goes along with its task, into the engine and to the backend, so that the
// journal's records of one call have the same `PASSD_REQUEST=`. What nobody asked for, such as a poll, has none.

import PassSystem

package struct CallMark: Sendable {
    @TaskLocal package static var current: CallMark?

    /// Counted since the start of the daemon; the journal itself tells its starts apart.
    let request: Int
    let method: String
    let app: String?

    package var fields: [JournalField] {
        [JournalField("REQUEST", request), JournalField("METHOD", method)]
            + (app.map { [JournalField("APP", $0)] } ?? [])
    }
}
