// Tests that calls match the contract's header table and endpoint pages, byte for byte.

import PassProtocol
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md §3, §4: calls") struct CallTests {
    private let calls: V2Calls
    private let north = ProviderID(rawValue: "NorthCable")

    init() throws {
        calls = V2Calls(
            service: try .sample(), caller: .sample(deviceInfo: "e30="), accessToken: Secret("tok"),
            platformIdentity: Secret("jws"), serviceToken: Secret("svc"))
    }

    private static let always: Set = [
        "Authorization", "AP-Device-Identifier", "X-Device-Info", "Accept", "AP-Visitor-Identifier",
    ]
    private static let signOn: Set = ["Adobe-Subject-Token", "AD-Service-Token"]

    private func names(_ call: HTTPRequest) -> Set<String> { Set(call.headers.fields.map(\.name)) }

    @Test func `each call has the headers of its column, and no others`() {
        let temporary: Set = ["AP-TempPass-Identity"], typed: Set = ["Content-Type"]
        let always = Self.always, signOn = Self.signOn
        #expect(names(calls.configuration()) == always)
        #expect(
            names(calls.createSession(provider: nil, domainName: nil, redirectURL: nil))
                == always.union(signOn).union(typed))
        #expect(names(calls.profiles()) == always.union(signOn))
        #expect(names(calls.profile(of: north)) == always.union(signOn).union(temporary))
        #expect(names(calls.profile(of: RegistrationCode(rawValue: "K7"))) == always.union(temporary))
        #expect(names(calls.authorize([], at: north)) == always.union(signOn).union(temporary).union(typed))
        #expect(names(calls.preauthorize([], at: north)) == always.union(signOn).union(typed))
        #expect(names(calls.logout(north, redirectURL: "x")) == always.union(signOn))
    }

    @Test func `the device's headers are written as in §3.2 to §3.4`() {
        let call = calls.profiles()
        #expect(call.headers["Authorization"] == "Bearer tok")
        #expect(call.headers["AP-Device-Identifier"] == "fingerprint YWJj")
        #expect(call.headers["X-Device-Info"] == "e30=")
    }

    @Test func `methods and paths are those of the endpoint table`() {
        #expect(calls.configuration().url.target == "/api/v2/LUMENTV/configuration")
        #expect(calls.createSession(provider: nil, domainName: nil, redirectURL: nil).method == .post)
        #expect(
            calls.profile(of: RegistrationCode(rawValue: "K7Q2M4X")).url.target
                == "/api/v2/LUMENTV/profiles/code/K7Q2M4X")
        #expect(calls.authorize([], at: north).url.target == "/api/v2/LUMENTV/decisions/authorize/NorthCable")
        #expect(calls.preauthorize([], at: north).url.target == "/api/v2/LUMENTV/decisions/preauthorize/NorthCable")
        #expect(
            calls.logout(north, redirectURL: "https://a.example/b?c=d").url.target
                == "/api/v2/LUMENTV/logout/NorthCable?redirectUrl=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd")
    }

    @Test func `names with special characters stay one segment of the path`() {
        let odd = V2Calls(
            service: calls.service, caller: .sample(requestor: "../x y"), accessToken: calls.accessToken)
        #expect(
            odd.profile(of: ProviderID(rawValue: "a/b?c#d")).url.target == "/api/v2/..%2Fx%20y/profiles/a%2Fb%3Fc%23d")
    }

    @Test func `a form is encoded once, and omits unknown values`() {
        let call = calls.createSession(
            provider: north, domainName: "lumentv.example", redirectURL: "https://lumentv.example/ü?a=b&c")
        #expect(
            String(decoding: call.body, as: UTF8.self)
                == "mvpd=NorthCable&domainName=lumentv.example&redirectUrl=https%3A%2F%2Flumentv.example%2F%C3%BC%3Fa%3Db%26c"
        )
        #expect(calls.createSession(provider: nil, domainName: nil, redirectURL: nil).body.isEmpty)
        #expect(call.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test func `resources are sent byte for byte`() {
        let mrss = #"<rss version="2.0"><channel><title>A, "B" & C/ü</title></channel></rss>"#
        let call = calls.authorize([ResourceID(rawValue: mrss)], at: north)
        #expect(
            String(decoding: call.body, as: UTF8.self)
                == #"{"resources":["<rss version=\"2.0\"><channel><title>A, \"B\" & C/ü</title></channel></rss>"]}"#)
    }
}

extension ServiceConfiguration {
    static func sample(codes: String? = nil) throws -> ServiceConfiguration {
        ServiceConfiguration(
            origin: try Origin("https://sp.example"), codes: try codes.map { try Origin($0) }, http: .patient,
            device: DeviceFacts(model: "LTV-200", manufacturer: "Lumen Devices", osVersion: "6.12"))
    }
}

extension BackendCaller {
    static func sample(
        requestor: String = "LUMENTV", device: String = "abc", visitorID: String? = "ecid", deviceInfo: String? = nil
    ) -> BackendCaller {
        var caller = BackendCaller(
            registration: RegistrationKey(
                app: AppID(rawValue: "tv.app"), statement: "s", origin: "https://sp.example", interface: "v2"),
            softwareStatement: Secret(Box.statement), requestor: RequestorID(rawValue: requestor),
            device: DeviceID(rawValue: device), deadline: BootTime(nanoseconds: .max))
        (caller.options.texts[.visitorID], caller.options.texts[.deviceInfo]) = (visitorID, deviceInfo)
        caller.options.temporaryIdentity = ["email": "0f1e"]
        return caller
    }
}
