// What became of a reload, for subscribers and for the reports. operations.md §2.

import AccessEnabler
package import PassConfiguration
import PassJSON
import PassProtocol

extension Server {
    /// Tells that a reload was requested and has taken effect, or why it was refused.
    package func tellReload(refused problems: [Problem] = []) {
        state.reloadProblems = problems.filter { $0.severity >= .unclear }
        hub.tell(.configuration, JSONObject([("applied", .bool(problems.isEmpty))]))
        Task { @EngineActor [weak self] in await self?.lookForWarnings() }
    }
}
