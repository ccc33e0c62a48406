import Testing

@testable import PassSandbox

@Suite struct RegistrationTests {
    @Test func `the shipped catalogue is valid`() throws {
        let catalogue = try SandboxFixture.shippedCatalogue()
        #expect(catalogue.programmers.count == 3)
        #expect(catalogue.programmers.flatMap(\.serviceProviders).count == 4)
        let fixture = try SandboxFixture()
        let r = fixture.send(
            .post(
                "/o/client/token", form: [Field("grant_type", "client_credentials")],
                [Field("X-Device-Info", Request.deviceInfo)]))
        #expect(r.status == 400)
        #expect(r.code == "invalid_request")
    }
}
