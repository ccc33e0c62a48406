// Tests that a faulty catalogue is refused with line, place and reason.

import FoundationEssentials
import PassJSON
import Testing

@testable import PassSandbox

@Suite struct CatalogueTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A part of the small catalogue, and its replacement.
        let change: (String, String)
        let place: String
        let reason: String
    }

    static let small = """
        {"settings": {"strict": false},
         "programmers": [{"id": "P", "name": "P", "serviceProviders": [
          {"id": "SP", "name": "SP", "domains": ["sp.example"], "resources": [
           {"id": "r", "title": "R", "ratings": {"VCHIP": "TV-G"}}]}]}],
         "providers": [{"id": "M", "name": "M", "subscribers": [
          {"user": "u", "password": "p", "name": "U", "channels": ["r"], "answers": {"*": "permit"}}]}],
         "integrations": [{"serviceProvider": "SP", "provider": "M", "authorizeLimit": 1}],
         "apps": [{"id": "a", "name": "A", "version": "1", "serviceProviders": ["SP"], "scopes": ["api:client:v2"]}]}
        """

    static let wrong: [Wrong] = [
        .init(
            testDescription: "a misspelt member", change: (#""strict""#, #""stricd""#), place: "settings.stricd",
            reason: "unknown member; the nearest known one is \"strict\""),
        .init(
            testDescription: "a wrong type", change: (#""strict": false"#, #""strict": "no""#),
            place: "settings.strict", reason: "should be true or false, not a string"),
        .init(
            testDescription: "a missing member", change: (#""name": "SP", "#, ""),
            place: "programmers[0].serviceProviders[0]", reason: "the member \"name\" is missing"),
        .init(
            testDescription: "an invalid id", change: (#""id": "SP""#, #""id": "S/P""#),
            place: "programmers[0].serviceProviders[0].id",
            reason: "\"S/P\" is not an id: up to 64 letters, digits, '-', '_' and '.'"),
        .init(
            testDescription: "an unknown rating", change: ("TV-G", "TV-99"),
            place: "programmers[0].serviceProviders[0].resources[0].ratings",
            reason: "\"TV-99\" is not a rating of VCHIP; use MPAA or VCHIP with their usual ratings"),
        .init(
            testDescription: "a channel that does not exist", change: (#""channels": ["r"]"#, #""channels": ["x"]"#),
            place: "providers[0].subscribers[0].channels", reason: "there is no resource \"x\""),
        .init(
            testDescription: "an unknown answer", change: ("permit", "maybe"),
            place: "providers[0].subscribers[0].answers.*",
            reason: "\"maybe\" should be one of: permit, "
                + ErrorCode.providerAnswers.map(\.rawValue).joined(separator: ", ")),
        .init(
            testDescription: "an integration with an unknown provider",
            change: (#""provider": "M", "auth"#, #""provider": "N", "auth"#),
            place: "integrations[0].provider", reason: "there is no provider \"N\""),
        .init(
            testDescription: "a number out of range", change: (#""authorizeLimit": 1"#, #""authorizeLimit": 0"#),
            place: "integrations[0].authorizeLimit", reason: "should be a whole number from 1 to 100"),
        .init(
            testDescription: "an app of an unknown service provider",
            change: (#"["SP"], "scopes""#, #"["XX"], "scopes""#),
            place: "apps[0].serviceProviders[0]", reason: "there is no service provider \"XX\""),
        .init(
            testDescription: "a bad duration", change: (#""strict": false"#, #""sessionLifetime": "soon""#),
            place: "settings.sessionLifetime", reason: "should be a time such as 30s, 15m, 24h or 90d"),
        .init(
            testDescription: "an entry that occurs twice",
            change: (
                #"[{"serviceProvider": "SP""#, #"[{"serviceProvider": "SP", "provider": "M"}, {"serviceProvider": "SP""#
            ),
            place: "integrations[1]", reason: "\"SP with M\" appears twice"),
        .init(
            testDescription: "a platform's name for two providers",
            change: (
                #"[{"id": "M", "name": "M","#,
                #"[{"id": "L", "name": "L", "platformMappingId": "x"}, {"id": "M", "name": "M", "platformMappingId": "x","#
            ), place: "providers[1].platformMappingId", reason: "\"x\" is already used by L"),
        .init(
            testDescription: "a bad domain", change: ("sp.example", "https://sp.example"),
            place: "programmers[0].serviceProviders[0].domains[0]",
            reason: "\"https://sp.example\" is not the name of a host or domain"),
    ]

    @Test func `the small catalogue of this test is valid`() throws {
        try #expect(Catalogue.read(Array(Self.small.utf8)).apps.count == 1)
    }

    @Test(arguments: wrong) func `each fault is reported with its place`(wrong: Wrong) throws {
        let range = try #require(Self.small.place(of: wrong.change.0))
        let text = String(Self.small[..<range.lowerBound]) + wrong.change.1 + String(Self.small[range.upperBound...])
        let error = #expect(throws: CatalogueError.self) { try Catalogue.read(Array(text.utf8)) }
        #expect(error?.place == wrong.place)
        #expect(error?.reason == wrong.reason)
        #expect(error?.line != nil)
    }

    @Test func `an error names the line on which the wrong value begins`() {
        let text = Self.small.replacing("\"ratings\": {", with: "\n\n \"ratings\":\n {")
            .replacing("TV-G", with: "TV-99")
        let error = #expect(throws: CatalogueError.self) { try Catalogue.read(Array(text.utf8)) }
        #expect(error?.line == 7, "the line of the ratings")
        let wrong = Self.small.replacing("\"id\": \"M\"", with: "\n\"id\": 1")
        #expect(throws: CatalogueError(place: "providers[0].id", line: 6, reason: "should be a string, not a number")) {
            try Catalogue.read(Array(wrong.utf8))
        }
    }

    @Test func `text that is not JSON is refused with its line`() {
        let error = #expect(throws: CatalogueError.self) { try Catalogue.read(Array("{\n\n!".utf8)) }
        #expect(error?.description == "line 3: unexpected character")
    }

    @Test func `the shipped catalogue has an example of each case for developers`() throws {
        let catalogue = try SandboxFixture.shippedCatalogue()
        #expect(catalogue.programmers.count >= 3)
        #expect(catalogue.programmers.flatMap(\.serviceProviders).count >= 4)
        #expect(catalogue.providers.contains { $0.loginPerRequestor })
        #expect(catalogue.providers.contains { $0.tempPass?.promotion == nil && $0.tempPass != nil })
        #expect(catalogue.providers.contains { $0.tempPass?.promotion != nil })
        #expect(catalogue.integrations.contains { $0.partnerSignOn })
        let pairs = catalogue.programmers.flatMap(\.serviceProviders).count * catalogue.providers.count
        #expect(catalogue.integrations.filter(\.isEnabled).count < pairs)
        #expect(catalogue.degradations.allSatisfy { !$0.isActive } && catalogue.degradations.count >= 3)
        #expect(
            catalogue.providers.flatMap(\.subscribers).contains { $0.answers["*"] == ["authorization_denied_by_mvpd"] })
    }
}
