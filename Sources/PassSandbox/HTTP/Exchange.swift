// A request in libmicrohttpd. This code collects the body, asks the service and sends the answer. Everything runs on the
// polling thread, except that another thread wakes the connection at the end of a delay.

import CMicroHTTPD
import Glibc
import PassJSON

/// The state of a request, from the request line to completion. libmicrohttpd holds the pointer.
private final class Exchange {
    /// A field with its value as bytes, because a value arrives in pieces that may split a character.
    struct RawField {
        var name: String
        var value: [UInt8]
    }

    static let maxFields = 256

    let hasClearPath: Bool
    var hasBegun = false
    var body: [UInt8] = []
    var form: [RawField]?
    var parser: OpaquePointer?
    var tooLarge = false
    var answer: Response?

    init(uri: String) { hasClearPath = Self.isClear(uri) }

    deinit { if let parser { MHD_destroy_post_processor(parser) } }

    /// Whether all servers interpret the path in the same way. False for broken escapes, and for escapes of slashes,
    /// backslashes and control characters.
    private static func isClear(_ uri: String) -> Bool {
        let path = uri.prefix { $0 != "?" }
        guard let decoded = percentDecoded(String(path)) else { return false }
        let lower = path.lowercased()
        return !["%2f", "%5c", "%00"].contains { lower.contains($0) }
            && decoded.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}

private func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer? {
    context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

let requestCallback: MHD_AccessHandlerCallback = {
    context, connection, url, method, _, data, size, place in
    guard let server = server(context), let url, let method, let size, let place else { return .NO }
    guard let pointer = place.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if !exchange.hasBegun {
        exchange.hasBegun = true
        exchange.parser = MHD_create_post_processor(connection, 4096, formCallback, pointer)
        if exchange.parser != nil { exchange.form = [] }
        return .YES
    }
    if size.pointee > 0 {
        exchange.take(data, size.pointee, limit: server.limits.body)
        size.pointee = 0
        return .YES
    }
    if let answer = exchange.answer { return send(answer, on: connection, server) }

    if exchange.tooLarge {
        return send(.message(413, "The request body is larger than the sandbox accepts"), on: connection, server)
    }
    if let parser = exchange.parser {
        MHD_destroy_post_processor(parser)
        exchange.parser = nil
    }
    let query = values(connection, .GET_ARGUMENT_KIND)
    guard exchange.hasClearPath, query.count <= Exchange.maxFields, exchange.form?.count ?? 0 <= Exchange.maxFields
    else {
        let reason = "The path has an escape that can be read in two ways, or there are too many parameters"
        return send(.message(400, reason), on: connection, server)
    }
    let answer = server.handler(
        Request(
            method: String(cString: method), path: String(cString: url), query: query,
            headers: values(connection, .HEADER_KIND), body: exchange.body, form: exchange.fields,
            peer: ListenAddress.text(of: pass_mhd_peer(connection))))
    guard answer.delay > 0, let connection else { return send(answer, on: connection, server) }
    exchange.answer = answer
    server.watch.renew(pass_mhd_socket(connection), extra: Double(answer.delay) / 1000)
    guard server.delayed.suspend(connection, for: answer.delay) else { return send(answer, on: connection, server) }
    return .YES
}

/// Receives the request line from libmicrohttpd, before anything is decoded.
let requestLineCallback:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
        UnsafeMutableRawPointer? = { _, uri, _ in
            uri.map { Unmanaged.passRetained(Exchange(uri: String(cString: $0))).toOpaque() }
        }

extension Exchange {
    fileprivate var fields: [Field]? {
        form?.map { Field($0.name, String(decoding: $0.value, as: UTF8.self)) }
    }

    fileprivate func take(_ data: UnsafePointer<CChar>?, _ size: Int, limit: Int) {
        guard let data, !tooLarge, body.count + size <= limit else {
            tooLarge = true
            body = []
            return
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size))
        if let parser { MHD_post_process(parser, data, size) }
    }
}

/// Receives the fields of a form. Long values come in pieces: with `offset` > 0, a piece continues the value of the previous
/// piece.
private let formCallback: MHD_PostDataIterator = { context, _, key, _, _, _, data, offset, size in
    guard let context, let key else { return .YES }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
    if offset > 0, let last = exchange.form?.indices.last {
        exchange.form?[last].value += piece
    } else if exchange.form?.count ?? 0 <= Exchange.maxFields {
        exchange.form?.append(Exchange.RawField(name: String(cString: key), value: Array(piece)))
    }
    return .YES
}

private func values(_ connection: OpaquePointer?, _ kind: MHD_ValueKind) -> [Field] {
    var fields: [Field] = []
    withUnsafeMutablePointer(to: &fields) { pointer in
        _ = MHD_get_connection_values_n(
            connection, kind,
            { context, _, key, keySize, value, valueSize in
                let text = { (start: UnsafePointer<CChar>?, size: Int) in
                    String(
                        decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
                }
                context?.assumingMemoryBound(to: [Field].self).pointee
                    .append(Field(text(key, keySize), text(value, valueSize)))
                return .YES
            }, pointer)
    }
    return fields
}

private func send(_ answer: Response, on connection: OpaquePointer?, _ server: HTTPServer) -> MHD_Result {
    guard answer.delivery != .dropped else { return .NO }
    guard let response = answer.delivery == .truncated ? truncated(answer) : whole(answer) else { return .NO }
    defer { MHD_destroy_response(response) }
    for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
    if answer.header("Cache-Control") == nil { MHD_add_response_header(response, "Cache-Control", "no-store") }
    MHD_add_response_header(response, "Date", httpDate(server.now() &+ answer.dateSkew))
    return MHD_queue_response(connection, UInt32(answer.status), response)
}

private func whole(_ answer: Response) -> OpaquePointer? {
    var body = answer.body
    return MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY)
}

/// An answer that announces its whole length, and ends the connection after half of it.
private func truncated(_ answer: Response) -> OpaquePointer? {
    final class Half {
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }
    let half = Unmanaged.passRetained(Half(Array(answer.body.prefix(answer.body.count / 2))))
    return MHD_create_response_from_callback(
        UInt64(max(answer.body.count, 1)), 4096,
        { context, position, buffer, room in
            guard let context, let buffer else { return -2 }
            let half = Unmanaged<Half>.fromOpaque(context).takeUnretainedValue()
            let piece = half.bytes.dropFirst(Int(position)).prefix(room)
            guard !piece.isEmpty else { return -2 }
            UnsafeMutableRawBufferPointer(start: buffer, count: room).copyBytes(from: piece)
            return piece.count
        }, half.toOpaque(), { context in context.map { Unmanaged<Half>.fromOpaque($0).release() } })
}

let completedCallback: MHD_RequestCompletedCallback = { context, connection, place, _ in
    if let pointer = place?.pointee {
        Unmanaged<Exchange>.fromOpaque(pointer).release()
        place?.pointee = nil
    }
    server(context)?.watch.renew(pass_mhd_socket(connection))
}

let connectionCallback: MHD_NotifyConnectionCallback = { context, connection, _, event in
    let socket = pass_mhd_socket(connection)
    if event == .CONNECTION_NOTIFY_STARTED {
        server(context)?.watch.begin(socket)
    } else {
        server(context)?.watch.forget(socket)
    }
}
