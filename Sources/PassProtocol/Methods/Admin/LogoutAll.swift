// Logs out every requestor. rpc.md §7.

import PassJSON

public enum LogoutAll: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = ForgottenLogins

    public static let definition = MethodDefinition(
        "passd.logoutAll", "Logs out every requestor, here and at the service.", result: ForgottenLogins.schema,
        capability: .admin, socket: .admin, callbacks: ["setAuthenticationStatus", "event"],
        example: .init([:], ["forgotten": 2]))
}
