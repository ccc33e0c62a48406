// Tests the decoder of answers against Foundation's, with whole and damaged answers.

import AccessEnabler
import FoundationEssentials
import Testing

@testable import PassBackend

@Suite("decisions/0018: decoding answers") struct AnswerDecoderTests {
    private struct Facts: Decodable, Equatable {
        enum Word: String, Decodable { case yes, no }

        var text: String?
        var whole: Int?
        var long: Int64?
        var small: UInt8?
        var real: Double?
        var flag: Bool?
        var word: Word?
        var texts: [String]?
        var map: [String: Int]?
    }

    private static let values = [
        "null", "true", "false", "0", "-0", "1", "1.0", "1e3", "1.5", "255", "256", "-1", "9223372036854775807",
        "9223372036854775808", "1e19", "1e400", "\"\"", "\"yes\"", "\"maybe\"", "\"1\"", "\"\\ud800\"", "\"é\"", "01",
        "1.2.3", "-", "[]", "[\"a\"]", "[\"a\",1]", "[null]", "{}", "{\"a\":1}", "{\"a\":null}", "{\"a\":1,\"a\":2}",
    ]

    private static let members = [
        "text", "whole", "long", "small", "real", "flag", "word", "texts", "map", "unknown",
    ]

    @Test func `each type accepts what Foundation accepts`() {
        for member in Self.members {
            for value in Self.values { compare(Facts.self, Array("{\"\(member)\": \(value)}".utf8)) }
        }
        for value in Self.values { compare(Facts.self, Array(value.utf8)) }
    }

    /// Answers as the contract has them.
    private static let answers = [
        #"{"requestor":{"mvpds":[{"id":"A","isTempPass":true,"requiredMetadataFields":["x"]},{"id":1}],"domains":["a.b"]}}"#,
        #"{"profiles":{"A":{"notBefore":1,"notAfter":"2","issuer":"I","type":"regular","attributes":{"zip":{"value":["1",{"a":null}],"state":"enc"}}}}}"#,
        #"{"decisions":[{"resource":"R","authorized":true,"token":{"serializedToken":"t","notAfter":5}},{"resource":"S","authorized":false,"error":{"code":"c","status":403}}]}"#,
        #"{"error":{"code":"c","status":"x","action":"a","message":"m\u00e9","details":null}}"#,
        #"{"updated":5,"encrypted":["zip"],"data":{"zip":[1,2.5,true,null,"x"],"é":{"e\u0301":{}}}}"#,
        #"{"access_token":"a","expires_in":"5","token_type":"Bearer","client_id":"c","client_secret":"s"}"#,
    ]

    @Test func `damaged answers decode as with Foundation`() {
        var seed: UInt64 = 7
        func next(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        let marks = Array("\"\\,:{}[]01e.-\nnu\u{FF}".utf8)
        for _ in 0..<600 {
            var text = Array(Self.answers[next(Self.answers.count)].utf8)
            for _ in 0...next(2) {
                let place = next(text.count)
                switch next(3) {
                case 0: text.remove(at: place)
                case 1: text.insert(marks[next(marks.count)], at: place)
                default: text[place] = marks[next(marks.count)]
                }
            }
            if !Self.hasShortEscape(text) { compareAll(text) }
        }
        for answer in Self.answers { compareAll(Array(answer.utf8)) }
    }

    /// Foundation takes the four bytes behind `\u` for digits, even where the string ends among them.
    private static func hasShortEscape(_ text: [UInt8]) -> Bool {
        text.indices.dropLast().contains { place in
            text[place...].starts(with: Array("\\u".utf8)) && text[place...].prefix(6).contains(UInt8(ascii: "\""))
        }
    }

    @Test func `an answer is read up to the depth that Foundation reads`() {
        for depth in [510, 511, 512, 600, 100_000] {
            let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            compare(Facts.self, Array("{\"unknown\":\(list)}".utf8))
        }
        let list = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let answer = AnswerDecoder.decode(MetadataAnswer.self, Array("{\"data\":{\"x\":\(list)}}".utf8))
        #expect(answer?.attributes.count == 1)
    }

    @Test func `an answer with very many names takes no quadratic time`() {
        let members = (0..<60_000).map { "\"name\($0)\":\($0)" }.joined(separator: ",")
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(AnswerDecoder.decode([String: Int].self, Array("{\(members)}".utf8))?.count == 60_000)
        }
        #expect(time < .seconds(20))
    }

    private func compareAll(_ text: [UInt8]) {
        compare(ConfigurationAnswer.self, text)
        compare(ProviderListAnswer.self, text)
        compare(ProfilesAnswer.self, text)
        compare(DecisionsAnswer.self, text)
        compare(ErrorAnswer.self, text)
        compare(BasicErrorAnswer.self, text)
        compare(MetadataAnswer.self, text)
        compare(SessionAnswer.self, text)
        compare(ClientAnswer.self, text)
        compare(AnyMetadata.self, text)
    }

    private func compare<Answer: Decodable>(_ type: Answer.Type, _ text: [UInt8]) {
        func shown(_ answer: Answer?) -> String { answer.map { shape($0) } ?? "nothing" }
        let expected = shown(try? JSONDecoder().decode(type, from: Data(text)))
        let found = shown(AnswerDecoder.decode(type, text))
        #expect(found == expected, "\(type): \(String(decoding: text, as: UTF8.self))")
    }

    /// A description in which the members of dictionaries are sorted.
    private func shape(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return "\(value)" }
        var parts = mirror.children.map { ($0.label ?? "") + ":" + shape($0.value) }
        if mirror.displayStyle == .dictionary { parts.sort() }
        return "\(mirror.subjectType)(" + parts.joined(separator: ",") + ")"
    }
}
