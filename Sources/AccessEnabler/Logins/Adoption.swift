// What a login that the viewer has made means for its requestor, by what was known before.

enum Adoption: Sendable {
    /// Nobody was logged in.
    case first
    /// Somebody was.
    case another
    /// A question to the service has found this very login already, and it has been told.
    case known

    init(of profile: Profile, after former: Profile?) {
        self = former.map { profile.isSameLogin(as: $0) ? .known : .another } ?? .first
    }
}
