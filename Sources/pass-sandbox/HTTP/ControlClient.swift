// A client of the sandbox's controls: JSON in both directions, and each refusal as one line with its exit code.

import FoundationEssentials
import PassArguments

struct ControlClient {
    private let http: HTTPClient

    init(_ arguments: Arguments) throws(Failure) { http = try HTTPClient(arguments) }

    func send<Reply: Decodable>(_ path: String, _ question: [String: String]) throws -> Reply {
        let body = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
        let answer = try http.post(http.server.origin + path, type: "application/json", body)
        guard answer.status == 200 else {
            throw Failure(
                ExitCode(status: answer.status),
                "\(http.server.origin) answered \(answer.status): \(answer.reason ?? "no reason given")")
        }
        guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(answer.body)) else {
            throw Failure(.failed, "the answer of \(http.server.origin) is not that of a pass-sandbox of this version")
        }
        return reply
    }
}

extension HTTPClient.Answer {
    /// The message of a refusal, if there is one.
    var reason: String? {
        struct Reason: Decodable { let message: String }
        return try? JSONDecoder().decode(Reason.self, from: Data(body)).message
    }
}
