// Tests that complete and damaged answers are read as with Foundation's decoder.

import AccessEnabler
import FoundationEssentials
import PassJSON
import PassTestTools
import Testing

@testable import PassBackend

@Suite("decisions/0018: reading answers") struct AnswerReadingTests {
    private struct Facts: Decodable, ServiceAnswer {
        enum Word: String, Decodable, Sendable { case yes, no }

        var text: String?
        var whole: Int?
        var long: Int64?
        var small: UInt8?
        var real: Double?
        var flag: Bool?
        var word: Word?
        var texts: [String]?
        var map: [String: Int]?

        init(_ json: JSONValue) throws {
            text = try json.optional("text", \.string)
            whole = try json.optional("whole") { $0.int64.flatMap { Int(exactly: $0) } }
            long = try json.optional("long", \.int64)
            small = try json.optional("small") { $0.int64.flatMap { UInt8(exactly: $0) } }
            real = try json.optional("real") { $0.number?.double }
            flag = try json.optional("flag", \.bool)
            word = try json.optional("word") { $0.string.flatMap(Word.init) }
            texts = try json.optional("texts", \.strings)
            map = try json.optional("map", \.object)?.values { number in
                guard let number = number.int64 else { throw AnswerFault() }
                return Int(number)
            }
        }
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
            for value in Self.values { compare(Facts.self, Facts.self, Array("{\"\(member)\": \(value)}".utf8)) }
        }
        for value in Self.values { compare(Facts.self, Facts.self, Array(value.utf8)) }
    }

    /// Answers as the contract describes them.
    private static let answers = [
        #"{"requestor":{"mvpds":[{"id":"A","isTempPass":true,"requiredMetadataFields":["x"]},{"id":1}],"domains":["a.b"]}}"#,
        #"{"profiles":{"A":{"notBefore":1,"notAfter":"2","issuer":"I","type":"regular","attributes":{"zip":{"value":["1",{"a":null}],"state":"enc"}}}}}"#,
        #"{"decisions":[{"resource":"R","authorized":true,"token":{"serializedToken":"t","notAfter":5}},{"resource":"S","authorized":false,"error":{"code":"c","status":403}}]}"#,
        #"{"error":{"code":"c","status":"x","action":"a","message":"m\u00e9","details":null}}"#,
        #"{"updated":5,"encrypted":["zip"],"data":{"zip":[1,2.5,true,null,"x"],"é":{"e\u0301":{}}}}"#,
        #"{"access_token":"a","expires_in":"5","token_type":"Bearer","client_id":"c","client_secret":"s"}"#,
        #"{"requestor":"L","mvpd":"A","userId":"u","expires":"5","code":"K7","generated":1,"info":{"registrationURL":"u"}}"#,
        #"{"actionName":"resume","code":"K","url":"/a","notBefore":"1","notAfter":2,"logouts":{"A":{"actionName":"x"}}}"#,
        #"{"resources":[{"id":"R","authorized":false,"error":{"code":"internal_error"}},{"id":"S ","authorized":true}]}"#,
        #"{"decisions":[{"resource":"R","authorized":true,"metadata":{"a":{"value":1,"state":"enc"},"b":[2],"c":null}}]}"#,
        #"{"a":{"mvpd":{"id":"A","boardingStatus":"SUPPORTED","isProxy":null}},"status":5,"message":"m","details":""}"#,
        #"{"serializedToken":"t","expires":7,"x":{"mvpds":[{"id":""},{"id":"B"}],"domains":[{"name":"n"},7]}}"#,
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

    /// Foundation reads the four bytes after `\u` as digits, even if the string ends within them.
    private static func hasShortEscape(_ text: [UInt8]) -> Bool {
        text.indices.dropLast().contains { place in
            text[place...].starts(with: Array("\\u".utf8)) && text[place...].prefix(6).contains(UInt8(ascii: "\""))
        }
    }

    @Test func `an answer may be nested as deep as Foundation reads`() {
        for depth in [510, 511, 512, 600, 100_000] {
            let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            compare(Facts.self, Facts.self, Array("{\"unknown\":\(list)}".utf8))
        }
        let list = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let answer = MetadataAnswer(body: Array("{\"data\":{\"x\":\(list)}}".utf8))
        #expect(answer?.attributes.count == 1)
    }

    @Test func `the time for an answer with very many names is not quadratic`() {
        let members = (0..<60_000).map { "\"name\($0)\":\($0)" }.joined(separator: ",")
        let started = processorTime()
        let answer = MetadataAnswer(body: Array("{\"data\":{\(members)}}".utf8))
        #expect(processorTime() - started < .seconds(20))
        #expect(answer?.attributes.count == 60_000)
    }

    private func compareAll(_ text: [UInt8]) {
        compare(Reference.ConfigurationAnswer.self, ConfigurationAnswer.self, text)
        compare(Reference.ProviderListAnswer.self, ProviderListAnswer.self, text)
        compare(Reference.ProfilesAnswer.self, ProfilesAnswer.self, text)
        compare(Reference.LogoutAnswer.self, LogoutAnswer.self, text)
        compare(Reference.BasicErrorAnswer.self, BasicErrorAnswer.self, text)
        compare(Reference.MetadataAnswer.self, MetadataAnswer.self, text)
        compare(Reference.AuthenticationAnswer.self, AuthenticationAnswer.self, text)
        compare(Reference.MediaTokenAnswer.self, MediaTokenAnswer.self, text)
        compare(Reference.ClientAnswer.self, ClientAnswer.self, text)
        compare(Reference.TokenAnswer.self, TokenAnswer.self, text)
        let resources = ["R", "S"].map { ResourceID(rawValue: $0) }
        compare(Reference.DecisionsAnswer.self, text, { $0.decisions(for: resources) }) {
            DecisionsAnswer(body: text)?.decisions(for: resources)
        }
        compare(Reference.PreauthorizationAnswer.self, text, { $0.decisions(for: resources) }) {
            PreauthorizationAnswer(body: text)?.decisions(for: resources)
        }
        compare(Reference.SessionAnswer.self, text, { [$0.notBefore?.time, $0.notAfter?.time, Words($0)] as [Any?] }) {
            SessionAnswer(body: text).map { [$0.notBefore, $0.notAfter, Words($0)] as [Any?] }
        }
        compare(
            Reference.RegistrationCodeAnswer.self, text, { [$0.generated.time, $0.expires.time, $0.code] as [Any] }
        ) {
            RegistrationCodeAnswer(body: text).map { [$0.generated, $0.expires, $0.code] as [Any] }
        }
        compare(Reference.ErrorAnswer.self, text, \.error) { ServiceError(text) }
        compare(Reference.AnyMetadata.self, text, \.value) {
            JSONValue(answer: text).flatMap(\.canonical)
        }
    }

    private struct Words {
        let texts: [String?]

        init(_ answer: SessionAnswer) {
            texts = [answer.actionName, answer.reasonType, answer.url, answer.code, answer.sessionId, answer.mvpd]
        }

        init(_ answer: Reference.SessionAnswer) {
            texts = [answer.actionName, answer.reasonType, answer.url, answer.code, answer.sessionId, answer.mvpd]
        }
    }

    private func compare<Wanted: Decodable, Answer: ServiceAnswer>(_: Wanted.Type, _: Answer.Type, _ text: [UInt8]) {
        compare(Wanted.self, text, { $0 }) { Answer(body: text) }
    }

    private func compare<Wanted: Decodable>(
        _ type: Wanted.Type, _ text: [UInt8], _ content: (Wanted) -> Any, _ read: () -> Any?
    ) {
        func shown(_ answer: Any?) -> String { answer.map { shape($0) } ?? "nothing" }
        let expected = shown((try? JSONDecoder().decode(type, from: Data(text))).map(content))
        #expect(shown(read()) == expected, "\(type): \(String(decoding: text, as: UTF8.self))")
    }

    /// A description with sorted members of dictionaries.
    private func shape(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return "\(value)" }
        var parts = mirror.children.map { ($0.label ?? "") + ":" + shape($0.value) }
        if mirror.displayStyle == .dictionary { parts.sort() }
        return "(" + parts.joined(separator: ",") + ")"
    }
}
