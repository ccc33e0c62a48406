// Reports the outcome of a reload to subscribers, and keeps it for the reports. operations.md §2.

import AccessEnabler
package import PassConfiguration
import PassJSON
import PassProtocol

extension Server {
    /// Reports that a requested reload has taken effect, or why it was refused.
    package func tellReload(refused problems: [Problem] = []) {
        state.reloadProblems = problems.filter { $0.severity >= .unclear }
        hub.tell(.configuration, JSONObject([("applied", .bool(problems.isEmpty))]))
        Task { @EngineActor [weak self] in await self?.lookForWarnings() }
    }
}
