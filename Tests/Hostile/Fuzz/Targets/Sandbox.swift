// Fuzzes whole requests to the sandbox: methods, paths, queries, headers and bodies. Each input starts from the same
// state, with one box that is registered and logged in.

import PassJSON

@testable import PassSandbox

/// A request in HTTP's form. A leading `!` adds the headers of the box that is logged in.
func sandbox(_ bytes: [UInt8]) {
    guard let box else { return expect(false, "there is no sandbox") }
    let state = box.world.state
    // The keys are always the same and take long to make, so they are stored.
    box.sandbox.core.withLock { core in
        (core.world.state, core.world.state.keys) = (state, core.world.state.keys)
    }
    var input = Input(bytes)
    while !input.isOver {
        guard let request = request(&input, box) else { return }
        let answer = box.sandbox.answer(request)
        expect((100...999).contains(answer.status), "the status is \(answer.status)")
        for header in answer.headers {
            expect(!header.value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }, "\(header.name) ends its line")
        }
        _ = httpDate(now &+ answer.dateSkew)
    }
}

private let now: Instant = 1_795_564_800_000

/// The input contains several requests, separated by a NUL.
private func request(_ input: inout Input, _ box: Box) -> Request? {
    var lines = Input(input.piece(before: 0))
    var first = lines.text(before: UInt8(ascii: "\n"))[...]
    let isLoggedIn = first.hasPrefix("!")
    if isLoggedIn { first.removeFirst() }
    let words = first.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[1].hasPrefix("/") else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1)
    guard let path = percentDecoded(String(parts[0])) else { return nil }
    var request = Request(method: String(words[0]), path: path)
    if parts.count > 1 { request.query = fields(String(parts[1])) }
    while !lines.isOver {
        let line = lines.text(before: UInt8(ascii: "\n"))
        guard let colon = line.firstIndex(of: ":") else { break }
        request.headers.append(Field(String(line[..<colon]), line[line.index(after: colon)...].trimmed))
    }
    if isLoggedIn { request.headers += box.headers }
    request.body = Array(lines.rest)
    if request.contentType == "application/x-www-form-urlencoded" {
        request.form = fields(String(decoding: lines.rest, as: UTF8.self))
    }
    return request
}

private func fields(_ text: String) -> [Field] {
    text.split(separator: "&").compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = percentDecoded(String(parts[0])) else { return nil }
        return Field(name, parts.count > 1 ? percentDecoded(String(parts[1])) ?? "" : "")
    }
}

private struct Box {
    let sandbox: Sandbox
    let world: World
    let headers: [Field]
}

/// Sets the box up with the calls of a real box.
private let box: Box? = {
    let deviceInfo = base64(Device.info.utf8)
    guard let catalogue = try? Catalogue.load("Config/sandbox/catalog.json"),
        let sandbox = try? Sandbox(
            catalogue: catalogue, origin: "http://127.0.0.1:8642", seed: 1, throttled: false, wall: { now })
    else { return nil }
    func post(_ path: String, _ type: String, _ body: String, _ headers: [Field] = []) -> JSONValue {
        let headers = [Field("Content-Type", type), Field("X-Device-Info", deviceInfo)] + headers
        let form = type == "application/json" ? nil : fields(body)
        let request = Request(method: "POST", path: path, headers: headers, body: Array(body.utf8), form: form)
        return (try? JSONReader.read(sandbox.answer(request).body)) ?? .null
    }
    let form = "application/x-www-form-urlencoded"
    let statement = sandbox.core.withLock { core in
        core.world.catalogue.app("lumen-tv").map { core.world.softwareStatement(for: $0, at: now) }
    }
    let client = post("/o/client/register", "application/json", "{\"software_statement\": \"\(statement ?? "")\"}")
    let token = post(
        "/o/client/token", form,
        "client_id=\(client["client_id"]?.string ?? "")&client_secret=\(client["client_secret"]?.string ?? "")"
            + "&grant_type=client_credentials")
    let headers = [
        Field("Authorization", "Bearer \(token["access_token"]?.string ?? "")"),
        Field("AP-Device-Identifier", "fingerprint \(base64("box-1".utf8))"), Field("X-Device-Info", deviceInfo),
    ]
    let code = post("/api/v2/LUMENTV/sessions", form, "mvpd=NorthCable", headers)["code"]?.string
    let world = sandbox.core.withLock { core -> World? in
        guard let session = code.flatMap({ core.world.state.sessions[$0] }),
            let ada = core.world.catalogue.provider("NorthCable")?.subscriber("ada")
        else { return nil }
        core.world.completeLogin(session, mvpd: "NorthCable", subscriber: ada, home: nil, at: core.world.now)
        return core.world
    }
    return world.map { Box(sandbox: sandbox, world: $0, headers: headers) }
}()

private enum Device {
    static let info = """
        {"primaryHardwareType":"SetTopBox","model":"LTV-200","version":"2.1","osName":"Linux","osVersion":"6.12",\
        "connectionType":"LAN"}
        """
}
