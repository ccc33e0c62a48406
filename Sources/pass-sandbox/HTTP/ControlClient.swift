// A question to the sandbox's controls: JSON out, JSON back, and every refusal as a line with its exit code.

import FoundationEssentials

struct ControlClient {
    private let http: HTTPClient

    init(_ arguments: Arguments) throws(Failure) { http = try HTTPClient(arguments) }

    func send<Reply: Decodable>(_ path: String, _ question: [String: String]) throws -> Reply {
        let body = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
        let answer = try http.post(http.server.origin + path, type: "application/json", body)
        guard answer.status == 200 else { throw refusal(answer) }
        guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(answer.body)) else {
            throw Failure(.failed, "\(http.server.origin) does not answer as a pass-sandbox of this version does")
        }
        return reply
    }

    private func refusal(_ answer: HTTPClient.Answer) -> Failure {
        struct Reason: Decodable { let message: String }
        let reason = try? JSONDecoder().decode(Reason.self, from: Data(answer.body)).message
        let code: ExitCode =
            switch answer.status {
            case 403: .denied
            case 429, 503: .tryLater
            default: .failed
            }
        return Failure(code, "\(http.server.origin) says \(answer.status): \(reason ?? "no reason")")
    }
}
