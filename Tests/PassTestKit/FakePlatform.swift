// A TV account of the box that gives scripted answers and records its calls.

public import AccessEnabler
import Synchronization

public final class FakePlatform: PlatformSSO {
    public struct Script: Sendable {
        public var permission: Result<PlatformPermission, PlatformFault> = .success(.granted)
        /// The answer without a picker.
        public var account: Result<PlatformAccount, PlatformFault> = .success(PlatformAccount())
        /// The viewer's choice in the picker.
        public var picker: Result<PlatformAccount, PlatformFault> = .failure(.cancelled)
        /// The answer to a verification token.
        public var proof: Result<PlatformAccount, PlatformFault> = .failure(.unavailable("no proof"))
        /// Whether the proof never comes.
        public var proofStays = false
        /// Whether the picker stays open until it is dismissed.
        public var pickerStays = false
        /// Whether the picker does not report that it is shown.
        public var picksWithoutDialog = false
        /// Whether the programs that print tokens do not answer.
        public var tokensStay = false
        /// Whether the question about the app's use of the account is not answered.
        public var permissionStays = false
    }

    private let state = Mutex(Script())
    private let told: @Sendable (String) -> Void
    public let partner: Partner? = Partner(name: "Hearth", deviceType: "hearth-box")
    public let queries = Recorder<PlatformQuery>()

    public init(told: @escaping @Sendable (String) -> Void = { _ in }, _ change: (inout Script) -> Void = { _ in }) {
        self.told = told
        script(change)
    }

    public func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0) } }

    public func identityToken(at time: ServerTime) async -> Secret? {
        while state.withLock({ $0.tokensStay }) { await Task.yield() }
        return nil
    }

    public func serviceToken(at time: ServerTime) async -> Secret? { nil }

    public func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission {
        told("permission \(app)\(mayPrompt ? " asking" : "")")
        while state.withLock({ $0.permissionStays }), !Task.isCancelled { await Task.yield() }
        return try state.withLock { $0.permission }.get()
    }

    public func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount {
        queries.append(query)
        let script = state.withLock { $0 }
        guard query.verificationToken == nil else {
            told("forward \(query.attributes.joined(separator: ","))")
            while state.withLock({ $0.proofStays }), !Task.isCancelled { await Task.yield() }
            return try script.proof.get()
        }
        guard query.mayInterrupt else {
            told("account")
            return try script.account.get()
        }
        told("picker \(query.supported.joined(separator: ","))")
        if !script.picksWithoutDialog { dialog(.present("h-1")) }
        while script.pickerStays, !Task.isCancelled { await Task.yield() }
        if !script.picksWithoutDialog { dialog(.dismiss("h-1")) }
        guard !Task.isCancelled else { throw .cancelled }
        return try script.picker.get()
    }
}
