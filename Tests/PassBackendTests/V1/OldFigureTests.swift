// Tests absurd numbers in the older interface. No number may crash the daemon.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v1.md §3: absurd numbers") struct OldFigureTests {
    private static let figures = [
        "-9223372036854775808", "-1", "0", "1", "9223372036854775807", "99999999999999999999", "1e300", "-1e300", "1.5",
        #""9223372036854775807""#, #""-9223372036854775808""#, #""1e300""#, #""NaN""#, "null", "{}", "[]",
    ]

    @Test(arguments: figures) func `a login has the given expiry, or is invalid`(figure: String) async throws {
        let box = try OldBox([
            OldSample.authnPath: [.answer(200, #"{"mvpd": "NorthCable", "expires": \#(figure)}"#)],
            OldSample.metadataPath: [.answer(200, #"{"updated": \#(figure), "data": {"n": \#(figure)}}"#)],
            OldSample.configurationPath: [.answer(200, OldSample.configuration)],
        ])
        let found = try? await box.run { backend, caller in try await backend.profiles(.all, caller) }
        for profile in found ?? [] {
            #expect(profile.notBefore <= profile.notAfter)
            _ = profile.notAfter.advanced(by: profile.notBefore.duration(to: profile.notAfter))
        }
    }

    @Test(arguments: figures) func `a code is valid for at most the maximum life, or is invalid`(figure: String) throws
    {
        for (generated, expires) in [(figure, "1893457800000"), ("1893456000000", figure), (figure, figure)] {
            let text = #"{"code": "7KQ2MZP", "generated": \#(generated), "expires": \#(expires)}"#
            let response = HTTPResponse(status: 201, body: Array(text.utf8))
            guard let answer = try? RegistrationCodeAnswer.read(response).get() else { continue }
            let login = answer.login("https://sp.example", at: nil, besides: nil)
            #expect((.zero ... .seconds(36_000)).contains(login.notBefore.duration(to: login.notAfter)))
        }
    }
}
