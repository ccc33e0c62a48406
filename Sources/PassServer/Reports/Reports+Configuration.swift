// The reports about the configuration: problems, a refused reload, and changes that wait for a restart. rpc.md §7.

import AccessEnabler
import Glibc
import PassConfiguration
import PassProtocol

extension Reports {
    /// The problems of the configuration. `doctor` leaves out statements, because it has its own checks for them. The remaining
    /// time of a statement is counted from now, not from the reading of the file.
    func configurationWarnings(withoutStatements: Bool = false) -> [VaultHealth.Warning] {
        let stanzas = policyInForce.policy.stanzas
        let names = Set(stanzas.map(\.name))
        let unusable = Set(
            stanzas.compactMap { stanza in
                if case .unusable(let reason) = stanza.statement { reason } else { nil }
            })
        let lasting = state.loaded.problems.filter { problem in
            unusable.contains(problem.message)
                ? !withoutStatements : !(problem.appOfStatement.map(names.contains) ?? false)
        }
        let ends = withoutStatements ? [] : stanzas.compactMap { $0.statementEnd(at: serviceDate) }
        return reloadWarnings
            + (lasting + ends).map {
                .init(
                    code: "configuration", message: "\($0).",
                    remedy: "Correct the file, or create the missing file or program, and reload.")
            }
    }

    private var reloadWarnings: [VaultHealth.Warning] {
        var warnings: [VaultHealth.Warning] = []
        if let problem = state.reloadProblems.first {
            let others = state.reloadProblems.count - 1
            let more = others == 0 ? "" : " (and \(others) more \(others == 1 ? "problem" : "problems"))"
            warnings.append(
                .init(
                    code: "reload-refused",
                    message: "The last reload was refused: \(problem)\(more).",
                    remedy:
                        "Correct the file, and run passd-cli reload. Until then, passd uses the former "
                        + "configuration."
                ))
        }
        if !state.waiting.isEmpty {
            warnings.append(
                .init(
                    code: "restart-needed", message: "Changes wait for a restart: \(Self.list(state.waiting)).",
                    remedy: restart))
        }
        return warnings
    }

    /// The settings of the connection to the service.
    static let wayToService = ["[backend] origin", "[backend] proxy", "[backend] certificate-authorities"]

    /// Returns `text` as the remedy. If a change of one of these settings waits for a restart, returns the advice to restart
    /// passd instead.
    func remedy(_ text: String, about settings: [String]) -> String {
        let waiting = state.waiting.filter { settings.contains("\($0)") }
        return waiting.isEmpty
            ? text : "\(Self.list(waiting)) was changed and waits for a restart. \(restart)"
    }

    private static func list(_ settings: [Setting.Name]) -> String {
        settings.map(\.description).joined(separator: ", ")
    }

    /// The advice to restart. If a file has errors, the advice is to correct it first, because passd would not start with the
    /// errors.
    private var restart: String {
        let advice = state.reloadProblems.isEmpty ? "Restart passd" : "Correct the file first, then restart passd"
        return policyInForce.policy.isForDevelopers
            ? "\(advice): a developer's box starts it again after kill \(getpid())"
            : "\(advice): systemctl restart \(unit)"
    }

    var unit: String { "passd\(parts.instance.map { "@\($0.text)" } ?? "")" }
}
