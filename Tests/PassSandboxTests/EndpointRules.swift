// Every call of REST V2 as a row: its path, a correct request, and its requirements from the contract's table of
// headers.

import PassJSON
import Testing

@testable import PassSandbox

/// The calls of rest-v2.md §1.4 that carry a bearer token.
enum V2Call: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case configuration = "C1 configuration"
    case createSession = "S1 create session"
    case resumeSession = "S2 resume session"
    case readSession = "S3 read session"
    case allProfiles = "P1 all profiles"
    case profile = "P2 profile of one MVPD"
    case profileOfCode = "P3 profile of one code"
    case authorize = "D1 authorize"
    case preauthorize = "D2 preauthorize"
    case logout = "L1 logout"
    case partnerSession = "X1 partner session"
    case partnerProfile = "X2 partner profile"

    var testDescription: String { rawValue }

    /// The calls that need no help from a partner: a correct request gets a 200.
    static let simple = allCases.filter { $0 != .partnerProfile }

    /// Contract: rest-v2.md §3.1, the rows `AP-Device-Identifier` and `X-Device-Info`.
    static let wantingDevice: [V2Call] = [
        .createSession, .allProfiles, .profile, .authorize, .preauthorize, .logout, .partnerSession, .partnerProfile,
    ]
    static let notWantingDevice: [V2Call] = [.configuration, .resumeSession, .readSession, .profileOfCode]
    static let wantingForm: [V2Call] = [.createSession, .resumeSession, .partnerSession, .partnerProfile]
    static let wantingJSON: [V2Call] = [.authorize, .preauthorize]

    func path(_ code: String) -> String {
        switch self {
        case .configuration: "configuration"
        case .createSession: "sessions"
        case .resumeSession, .readSession: "sessions/\(code)"
        case .allProfiles: "profiles"
        case .profile: "profiles/NorthCable"
        case .profileOfCode: "profiles/code/\(code)"
        case .authorize: "decisions/authorize/NorthCable"
        case .preauthorize: "decisions/preauthorize/NorthCable"
        case .logout: "logout/NorthCable"
        case .partnerSession: "sessions/sso/Apple"
        case .partnerProfile: "profiles/sso/Apple"
        }
    }

    /// The content of `Allow`: all methods of the path.
    var methods: String {
        switch self {
        case .resumeSession, .readSession: "GET, POST"
        case .createSession, .authorize, .preauthorize, .partnerSession, .partnerProfile: "POST"
        default: "GET"
        }
    }

    /// A request with exactly what the contract requires.
    func request(_ client: TestClient, code: String) -> Request {
        switch self {
        case .createSession: client.post(path(code), form: [])
        case .resumeSession: client.post(path(code), form: [])
        case .partnerSession: client.post(path(code), form: [])
        case .partnerProfile: client.post(path(code), form: [Field("SAMLResponse", "x")])
        case .authorize, .preauthorize: client.post(path(code), json: ["resources": ["lumen-sports-1"]])
        default: client.get(path(code))
        }
    }
}
