// Decides when the viewer's metadata are read again after an authorization. Some providers tell household and rating
// only then; most tell them at the login, and authorizations change nothing. So the first authorization under a login
// shows which it is, and later ones are followed by a read only if that one has changed something. `AnswerCache` holds
// one for each login. Contract: rest-v2.md §8, §9.

enum MetadataReading: Hashable, Sendable {
    /// Nothing was authorized yet, or the metadata could not be read.
    case open
    /// A read is under way. If there was another authorization since, it may be too old.
    case underWay(isOutdated: Bool)
    /// The last read has brought something new.
    case changing
    /// The last read has brought nothing new.
    case settled

    /// The service has answered with a new authorization. Returns whether to read the metadata now.
    mutating func authorized() -> Bool {
        switch self {
        case .open, .changing:
            self = .underWay(isOutdated: false)
            return true
        case .underWay:
            self = .underWay(isOutdated: true)
            return false
        case .settled: return false
        }
    }

    /// The read has ended; `hasNews` is nil if it has failed. Returns whether to read once more.
    mutating func ended(hasNews: Bool?) -> Bool {
        guard case .underWay(let isOutdated) = self else { return false }
        guard let hasNews else {
            self = .open
            return false
        }
        self = isOutdated ? .underWay(isOutdated: false) : hasNews ? .changing : .settled
        return isOutdated
    }
}
