// A client of the sandbox's controls: JSON in both directions, and each refusal as one line with its exit code.

import PassArguments
import PassJSON

struct ControlClient {
    private let http: HTTPClient

    init(_ arguments: Arguments) throws(Failure) { http = try HTTPClient(arguments) }

    /// Returns the answer, which has to have this member.
    func send(
        _ path: String, _ question: KeyValuePairs<String, JSONValue?>, wanting member: String
    ) throws(Failure) -> (value: String, answer: JSONValue) {
        let answer = try http.post(
            http.server.origin + path, type: "application/json", JSONWriter.bytes(.members(question)))
        guard answer.status == 200 else {
            throw Failure(
                ExitCode(status: answer.status),
                "\(http.server.origin) answered \(answer.status): \(answer.reason ?? "no reason given")")
        }
        guard let json = answer.json, let value = json[member]?.string else {
            throw Failure(.failed, "the answer of \(http.server.origin) is not that of a pass-sandbox of this version")
        }
        return (value, json)
    }
}

extension HTTPClient.Answer {
    var json: JSONValue? { try? JSONReader.read(body) }

    /// The message of a refusal, if there is one.
    var reason: String? { json?["message"]?.string }
}
