// An HTTP client for one server, made with libcurl. It keeps cookies, and limits time and size. If its server is on this
// machine, it may also ask other servers on this machine. `ControlClient` uses it for the control paths `/sandbox/…`.

import CCurl
import Glibc
import PassArguments
import PassJSON

extension Option {
    static let authority = Option(
        "--tls-ca", "FILE", help: "trust the certificates in this file (PEM), for a server with --tls-cert"
    )
}

final class HTTPClient {
    struct Answer {
        var status: Int
        var body: [UInt8]
        var url: String
        /// The absolute address of a redirect.
        var redirect: String?
    }

    static let maxBytes = 1 << 20
    static let maxSeconds = 30
    private static let wanted = "Accept: application/json"

    let server: ServerURL
    private let handle: UnsafeMutableRawPointer?

    /// Makes a client for the server of `page`. Without a page, the options or the environment name the server.
    init(_ arguments: Arguments, at page: String? = nil) throws(Failure) {
        if let page {
            guard let url = ServerURL(of: page) else {
                throw Failure(
                    .usage, "\(page): should be a code, or an address that begins with http:// or https://")
            }
            server = url
        } else {
            let named = getenv("SANDBOX").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
            server = try ServerURL(option: .server, arguments[.server] ?? named ?? ServerURL.standard)
        }
        if let reason = pass_curl_load() {
            throw Failure(.failed, "libcurl cannot be loaded: \(String(cString: reason))")
        }
        pass_curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        handle = pass_curl_easy_init()
        guard handle != nil else { throw Failure(.failed, "cannot initialize libcurl") }
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_COOKIEFILE, "")
        set(CURLOPT_USERAGENT, "pass-sandbox/\(version)")
        set(CURLOPT_CONNECTTIMEOUT, 10)
        set(CURLOPT_TIMEOUT, Self.maxSeconds)
        set(CURLOPT_NOSIGNAL, 1)
        if server.isLoopback { set(CURLOPT_NOPROXY, "*") }
        if let path = arguments[.authority] {
            guard access(path, R_OK) == 0 else { throw Failure(.configuration, "\(path): cannot be read") }
            set(CURLOPT_CAINFO, path)
        }
    }

    deinit { pass_curl_easy_cleanup(handle) }

    func get(_ url: String) throws(Failure) -> Answer {
        set(CURLOPT_HTTPGET, 1)
        return try perform(url, [Self.wanted])
    }

    func post(_ url: String, type: String, _ body: [UInt8]) throws(Failure) -> Answer {
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE, body.count)
        set(CURLOPT_COPYPOSTFIELDS, String(decoding: body, as: UTF8.self))
        return try perform(url, ["Content-Type: \(type)", Self.wanted, "Expect:"])
    }

    private final class Body {
        var bytes: [UInt8] = []
        var tooLarge = false
    }

    private func perform(_ url: String, _ headers: [String]) throws(Failure) -> Answer {
        guard server.mayLead(to: url) else { throw Failure(.failed, "\(url) is not on \(server.origin)") }
        let body = Body()
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers { list = pass_curl_slist_append(list, header) }
        defer { pass_curl_slist_free_all(list) }
        pass_curl_set_list(handle, CURLOPT_HTTPHEADER, list)
        set(CURLOPT_URL, url)
        pass_curl_set_writer(
            handle,
            { data, size, count, context in
                guard let data, let context else { return 0 }
                let body = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue()
                guard body.bytes.count + size * count <= HTTPClient.maxBytes else {
                    body.tooLarge = true
                    return 0
                }
                body.bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size * count))
                return size * count
            }, Unmanaged.passUnretained(body).toOpaque())
        let code = withExtendedLifetime(body) { pass_curl_easy_perform(handle) }
        guard code == CURLE_OK else {
            if body.tooLarge { throw Failure(.failed, "the answer of \(url) has more than \(Self.maxBytes) bytes") }
            throw failure(code)
        }
        var status = 0
        pass_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        var redirect: UnsafeMutablePointer<CChar>?
        pass_curl_get_string(handle, CURLINFO_REDIRECT_URL, &redirect)
        return Answer(
            status: status, body: body.bytes, url: url, redirect: redirect.map { String(cString: $0) })
    }

    private func failure(_ code: CURLcode) -> Failure {
        let reason = String(cString: pass_curl_easy_strerror(code))
        let isPlain = server.origin.hasPrefix("http:")
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return Failure(.tryLater, "\(server.origin) did not answer in time; try again later")
        case CURLE_PEER_FAILED_VERIFICATION:
            return Failure(.unreachable, "the certificate of \(server.origin) is not trusted: \(reason); see --tls-ca")
        case CURLE_SSL_CACERT_BADFILE:
            return Failure(.configuration, "--tls-ca: the file contains no certificates (PEM): \(reason)")
        case CURLE_GOT_NOTHING where isPlain, CURLE_RECV_ERROR where isPlain:
            return Failure(
                .unreachable,
                "\(server.origin) closed the connection without an answer; "
                    + "if the server runs with --tls-cert, use https://")
        default:
            return Failure(
                .unreachable,
                "\(server.origin) cannot be reached: \(reason); is pass-sandbox serve running there?")
        }
    }

    private func set(_ option: CURLoption, _ value: Int) { pass_curl_set_long(handle, option, value) }

    private func set(_ option: CURLoption, _ value: String) { pass_curl_set_string(handle, option, value) }
}

// A client of the sandbox's control paths, which sends and gets JSON. Each refusal becomes one line with an exit code.

struct ControlClient {
    private let http: HTTPClient

    init(_ arguments: Arguments) throws(Failure) { http = try HTTPClient(arguments) }

    /// Sends a request, and returns the answer with the value of `member`. Throws if the answer has no such member.
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
            throw Failure(
                .failed,
                "the answer of \(http.server.origin) is not the answer of a pass-sandbox of "
                    + "this version")
        }
        return (value, json)
    }
}

extension HTTPClient.Answer {
    var json: JSONValue? { try? JSONReader.read(body) }

    /// The message of a refusal, if there is one.
    var reason: String? { json?["message"]?.string }
}
