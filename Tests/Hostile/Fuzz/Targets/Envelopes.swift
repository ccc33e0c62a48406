// Fuzzes envelopes and the schemas of all methods. Every input must become a typed call or get its error.

import PassJSON
import PassProtocol

@testable import PassWire

/// Uses the input as a message, and then as the params of each method.
func envelopes(_ bytes: [UInt8]) {
    switch Envelope.read(bytes) {
    case .single(let item): check(item)
    case .batch(let items):
        expect(items.count <= Envelope.batchLimit, "a batch is too large")
        items.forEach(check)
    }
    guard let value = try? JSONReader.read(bytes) else { return }
    _ = Response(json: value)
    guard value.object != nil || value.array != nil else { return }
    for type in MethodTable.all { check(Request(id: .null, method: type.definition.name, params: value)) }
}

private func check(_ item: Envelope.Item) {
    switch item {
    case .request(let request):
        check(request)
        // The request is the same after it is written and read again.
        expect(Envelope.read(JSONWriter.bytes(request.json)) == .single(item), "the request is another one")
    case .refused(let id, let error):
        let answer = JSONWriter.bytes(Response(id: id, outcome: .failure(error)).json)
        expect((try? JSONReader.read(answer)) != nil, "the answer is no JSON")
    }
}

private func check(_ request: Request) {
    for socket in SocketKind.allCases {
        do throws(RPCError) {
            let call = try request.check(against: try request.type(on: socket))
            // Only the typed params of a call are kept. The client's own text must not be kept.
            check(call.params, of: call.type)
        } catch {
            expect((try? JSONReader.read(JSONWriter.bytes(error.json))) != nil, "the error is no JSON")
        }
    }
}

/// Accepted params must also be accepted in the form that the client library writes.
private func check(_ params: any MethodParams, of type: any RPCMethod.Type) {
    expect((try? type.definition.schema.check(params.json)) != nil, "\(type.definition.name): \(params.json)")
}
