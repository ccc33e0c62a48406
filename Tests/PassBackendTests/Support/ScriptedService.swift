// A service with scripted answers. For requests without a scripted answer it follows the contract: it registers all
// apps and issues tokens.

import PassBackend
import Synchronization

final class ScriptedService: Exchange {
    enum Reply: Sendable {
        case answer(Int, String)
        case dated(Int, String, String)
        case headed(Int, String, HTTPHeaders)
        case fault(HTTPFault)
        /// No answer until the test releases the request.
        case held
    }

    /// The answer to a request. The number counts the earlier requests with the same path.
    typealias Script = @Sendable (HTTPRequest, Int) -> Reply?

    static let registration = "/o/client/register"
    static let token = "/o/client/token"

    private struct State {
        var script: Script
        var requests: [HTTPRequest] = []
        var held: [Int: CheckedContinuation<Reply, Never>] = [:]
        var cancellations = 0
    }

    private let state: Mutex<State>

    init(_ script: @escaping Script = { _, _ in nil }) { state = Mutex(State(script: script)) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    var heldCount: Int { state.withLock { $0.held.count } }
    var cancellations: Int { state.withLock { $0.cancellations } }
    var paths: [String] { requests.map { String($0.url.path) } }
    var registrations: Int { count(Self.registration) }
    var tokens: Int { count(Self.token) }
    /// The requests, without the requests for registration.
    var calls: [HTTPRequest] { requests.filter { !$0.url.path.hasPrefix("/o/") } }

    func count(_ path: String) -> Int { paths.count { $0 == path } }

    func follow(_ script: @escaping Script) { state.withLock { $0.script = script } }

    /// Answers all held requests.
    func release(_ reply: Reply) {
        let held = state.withLock { state in
            defer { state.held = [:] }
            return state.held.values
        }
        for waiter in held { waiter.resume(returning: reply) }
    }

    func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse {
        let (number, reply) = state.withLock { state in
            let before = state.requests.count { $0.url.path == request.url.path }
            state.requests.append(request)
            return (state.requests.count, state.script(request, before) ?? Self.byTheBook(request, before))
        }
        if case .held = reply { return try Self.response(await hold(number)) }
        return try Self.response(reply)
    }

    private func hold(_ number: Int) async -> Reply {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                state.withLock { $0.held[number] = waiter }
                if Task.isCancelled { drop(number) }
            }
        } onCancel: {
            drop(number)
        }
    }

    private func drop(_ number: Int) {
        let waiter = state.withLock { state in
            let waiter = state.held.removeValue(forKey: number)
            if waiter != nil { state.cancellations += 1 }
            return waiter
        }
        waiter?.resume(returning: .fault(.cancelled))
    }

    private static func byTheBook(_ request: HTTPRequest, _ before: Int) -> Reply {
        switch request.url.path {
        case registration: .answer(201, #"{"client_id": "client-\#(before)", "client_secret": "hush-\#(before)"}"#)
        case token:
            .answer(
                201,
                #"{"access_token": "token-\#(before)", "expires_in": 21600, "created_at": 1, "token_type": "bearer"}"#)
        default: .answer(404, "")
        }
    }

    private static func response(_ reply: Reply) throws(HTTPFault) -> HTTPResponse {
        switch reply {
        case .answer(let status, let body): return HTTPResponse(status: status, body: Array(body.utf8))
        case .dated(let status, let body, let date):
            return HTTPResponse(status: status, headers: ["Date": date], body: Array(body.utf8))
        case .headed(let status, let body, let headers):
            return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        case .fault(let fault): throw fault
        case .held: throw .closed
        }
    }
}

extension HTTPRequest {
    var text: String { String(decoding: body, as: UTF8.self) }
    var bearer: String? { headers["Authorization"] }
}
