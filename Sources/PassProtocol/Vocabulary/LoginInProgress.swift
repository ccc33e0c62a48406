// How far the login is that a session has open, for apps that ask instead of listening. rpc.md §4.

import PassJSON

public struct LoginInProgress: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// The service has been asked, and has not answered yet.
        case beginning
        case selectProvider, secondScreen, browser, platformDialog
    }

    public var state: State
    /// Nil while there is no code and no page yet.
    public var invitation: LoginInvitation?

    public init(_ state: State, _ invitation: LoginInvitation? = nil) {
        self.state = state
        self.invitation = invitation
    }

    static let schema = Schema.object(
        [
            .required(
                "state", .enumeration(State.allCases.map(\.rawValue)),
                summary: "beginning: the service is being asked; the others are those of getAuthentication.")
        ] + LoginInvitation.members)

    var json: JSONValue {
        .object(
            JSONObject([("state", .string(state.rawValue))] + (invitation?.members ?? [])))
    }
}
