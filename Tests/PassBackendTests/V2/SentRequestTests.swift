// Tests the record of every sent request, which is enough to find a fault but has no content.

import AccessEnabler
import PassJSON
import PassTestKit
import PassTestTools
import Testing

@testable import PassBackend

@Suite struct SentRequestTests {
    private static let secret = "hush"

    private static func lines(_ sent: Recorder<SentRequest>) -> [String] {
        sent.elements.map { request in
            let outcome =
                switch request.outcome {
                case .success(let status): "\(status)"
                case .failure(let fault): "\(fault)"
                }
            return "\(request.method.rawValue) \(request.route) \(outcome)"
        }
    }

    private static let registration = ["POST /o/client/register 201", "POST /o/client/token 201"]

    @Test func `every request is recorded once, in order, with a pattern instead of its path`() async throws {
        let box = try Box { request, _ in
            request.url.path.contains("profiles") ? .answer(200, Sample.profile) : nil
        }
        _ = try await box.clock.run { try await box.backend.profiles(.provider(north), box.caller()) }
        #expect(Self.lines(box.sent).dropLast() == Self.registration[...])
        #expect(Self.lines(box.sent).last == "GET /api/v2/{serviceProvider}/profiles/{mvpd} 200")
        #expect(box.sent.elements.allSatisfy { $0.origin.description == "https://sp.example" })
    }

    @Test func `a network fault and each retry are recorded too`() async throws {
        let box = try Box { request, before in
            guard request.url.path.contains("profiles") else { return nil }
            return [.fault(.connect), .answer(503, ""), .answer(200, Sample.profile)][min(before, 2)]
        }
        _ = try await box.clock.run { try await box.backend.profiles(.all, box.caller()) }
        let route = "GET /api/v2/{serviceProvider}/profiles"
        #expect(
            Self.lines(box.sent).suffix(3) == ["\(route) \(HTTPFault.connect)", "\(route) 503", "\(route) 200"])
    }

    @Test func `the public description has names and words of the interface, but no values`() async throws {
        let box = try Box { request, _ in
            request.url.path.contains("profiles")
                ? .answer(200, Sample.profile)
                : request.url.path.contains("sessions") ? .answer(200, Sample.session) : nil
        }
        let caller = box.caller()
        _ = try await box.clock.run { try await box.backend.profiles(.provider(north), caller) }
        let texts = box.sent.elements.map { String(decoding: JSONWriter.bytes($0.described()), as: UTF8.self) }
        #expect(texts.count == 3)
        let all = texts.joined()
        for request in box.service.requests {
            for field in request.headers.fields
            where ["Authorization", "AP-Device-Identifier", "X-Device-Info"].contains(field.name) {
                #expect(!all.contains(field.value), "\(field.name)")
            }
        }
        #expect(!all.contains("client-0") && !all.contains(caller.softwareStatement.reveal()))
        let last = box.sent.elements[2].described()
        #expect(last["request"] == "GET /api/v2/{serviceProvider}/profiles/{mvpd}" && last["answer"]?["status"] == 200)
        let profile = last["answer"]?["body"]?["profiles"]?["a provider"]
        #expect(profile?["type"] == "regular" && profile?["notAfter"]?.int64 != nil)
        for attribute in profile?["attributes"]?.object?.members ?? [] {
            #expect(attribute.value["value"]?.string.map { $0 == "a text" } ?? true, "\(attribute.name)")
        }
    }

    @Test func `repeated headers are kept apart, and of the viewer only the names of attributes are shown`()
        async throws
    {
        let profile = """
            {"profiles": {"NorthCable": {"notBefore": "1", "notAfter": "9000000000000", "issuer": "NorthCable",
            "type": "regular", "attributes": {"userID": {"value": "u", "state": "plain"},
            "is_hoh": {"value": true}, "channels": {"value": {"espn": true}}, "address": {"value": {"state": "NY"}}}}}}
            """
        let box = try Box { request, _ in
            request.url.path.contains("profiles")
                ? .headed(200, profile, ["Set-Cookie": "a=hush; Path=/", "set-cookie": "b=hush"]) : nil
        }
        _ = try await box.clock.run { try await box.backend.profiles(.all, box.caller()) }
        let described = try #require(box.sent.elements.last).described()
        let read = try JSONReader.read(JSONWriter.bytes(described))
        let found = try #require(read["answer"]?["body"]?["profiles"]?["a provider"])
        #expect(found["type"] == "regular" && found["attributes"]?["is_hoh"]?["value"] == "true or false")
        let text = String(decoding: JSONWriter.bytes(described), as: UTF8.self)
        for secret in ["hush", "espn", "NY", "NorthCable"] { #expect(!text.contains(secret), "\(secret)") }
        #expect("\(try #require(box.sent.elements.last))" == "GET /api/v2/{serviceProvider}/profiles")
    }

    @Test func `the record has the time from the request to the answer, without pauses`() async throws {
        let box = try Box { request, _ in request.url.path.contains("profiles") ? .held : nil }
        let question = Task { try await box.backend.profiles(.all, box.caller()) }
        await eventually { box.service.heldCount == 1 }
        box.clock.advance(by: .milliseconds(1500))
        box.service.release(
            .headed(200, Sample.profile, ["adobe-request-id": "5d1c\(String(repeating: "x", count: 99))"]))
        _ = try await question.value
        let last = try #require(box.sent.elements.last)
        #expect(last.duration == .milliseconds(1500))
        #expect(last.serviceID?.count == 64 && last.serviceID?.hasPrefix("5d1c") == true)
        #expect(box.sent.elements.first?.duration == .zero && box.sent.elements.first?.serviceID == nil)
    }

    @Test func `no route of either interface shows a value of the call`() throws {
        let provider = ProviderID(rawValue: Self.secret), code = RegistrationCode(rawValue: Self.secret)
        let film = ResourceID(rawValue: Self.secret)
        let caller = BackendCaller.sample(requestor: Self.secret, device: Self.secret, deviceInfo: Self.secret)
        let service = try ServiceConfiguration.sample(codes: "https://codes.example")
        let new = V2Calls(service: service, caller: caller, accessToken: Secret(Self.secret))
        let old = V1Calls(service: service, caller: caller, accessToken: Secret(Self.secret))
        let calls = [
            new.configuration(), new.createSession(provider: provider, domainName: Self.secret, redirectURL: nil),
            new.profiles(), new.profile(of: provider), new.profile(of: code), new.authorize([film], at: provider),
            new.preauthorize([film], at: provider), new.logout(provider, redirectURL: Self.secret),
            new.createPartnerSession(Self.secret, domainName: nil, redirectURL: nil),
            new.createPartnerProfile(Self.secret, Secret(Self.secret)),
            old.createCode(provider: provider, registrationURL: nil), old.deleteCode(code),
            old.configuration(deviceType: Self.secret), old.authentication(), old.authorize(film),
            old.authorization(film), old.mediaToken(film), old.preauthorize([film]), old.metadata(),
            old.logout(), old.freePreview(provider, domainName: Self.secret),
            old.profileRequest(provider, deviceType: Self.secret),
            old.exchange(Secret(Self.secret), at: provider, deviceType: Self.secret),
        ]
        for call in calls {
            let (pattern, path) = (call.route, call.url.path)
            #expect(!pattern.contains(Self.secret) && pattern.hasPrefix("/"))
            // Every placeholder was replaced with its value.
            #expect(!path.contains("{") && !path.contains("%7B") && !path.contains("//"))
            #expect(pattern.split(separator: "/").count == path.split(separator: "/").count, "\(pattern)")
            #expect(pattern.count { $0 == "{" } == path.split(separator: "/").count { $0 == Self.secret })
        }
    }
}
