// One question to the platform helper, from the request until the helper has answered. The caller gets exactly one answer.
// All dialogs of the question are dismissed before the caller gets this answer.

import AccessEnabler
import PassJSON
import PassProtocol

@EngineActor final class PlatformQuestion {
    /// The answer is an introduction, a permission or an account.
    typealias Outcome = Result<any Sendable, PlatformFault>

    private static let maxDialogs = 8

    let order: PlatformOrder
    var alarm: (any EngineAlarm)? { willSet { alarm?.cancel() } }
    private var caller: CheckedContinuation<Outcome, Never>?
    private let dialog: (@Sendable (PlatformDialog) -> Void)?
    /// The dialogs on the screen. The newest dialog is the last element.
    private var handles: [String] = []

    init(
        _ order: PlatformOrder, caller: CheckedContinuation<Outcome, Never>,
        dialog: (@Sendable (PlatformDialog) -> Void)?
    ) {
        self.order = order
        self.caller = caller
        self.dialog = dialog
    }

    /// Whether the question is still open. After an answer or a withdrawal, further lines about the question are ignored.
    var isOpen: Bool { caller != nil }

    func end(_ outcome: Outcome) {
        alarm = nil
        guard let caller else { return }
        for handle in handles.reversed() { dialog?(.dismiss(handle)) }
        handles = []
        self.caller = nil
        caller.resume(returning: outcome)
    }

    func tell(_ change: PlatformDialog) throws(PlatformLine.Fault) {
        guard isOpen else { return }
        switch change {
        case .present(let handle):
            guard handles.count < Self.maxDialogs, !handles.contains(handle) else {
                throw PlatformLine.Fault(description: "it presented too many dialogs, or the same one twice")
            }
            handles.append(handle)
        case .dismiss(let handle):
            guard let index = handles.firstIndex(of: handle) else {
                throw PlatformLine.Fault(description: "it dismissed a dialog that was not shown")
            }
            handles.remove(at: index)
        }
        dialog?(change)
    }

    func answer(_ result: JSONObject) throws(PlatformLine.Fault) -> any Sendable {
        switch order {
        case .permission: return try PlatformPermission(result)
        case .account: return try PlatformAccount(result)
        case .hello, .cancel: throw PlatformLine.Fault(description: "it answered a question that was not asked")
        }
    }
}
