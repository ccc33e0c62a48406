// Records each HTTP request at the debug level, with the call that caused the request. If several calls wait for one request,
// the record has the first call. At other levels, nothing is collected. operations.md §3.

import PassBackend
import PassServer
import PassSystem

extension Journal {
    func record(_ sent: SentRequest) {
        guard keeps(.requestSent) else { return }
        var fields = [
            JournalField("ROUTE", "\(sent.method.rawValue) \(sent.route)"),
            JournalField("ORIGIN", sent.origin.description),
        ]
        switch sent.outcome {
        case .success(let status): fields.append(JournalField("STATUS", status))
        case .failure(let fault): fields.append(JournalField("FAULT", fault.description))
        }
        fields.append(JournalField("DURATION_MS", Int64(sent.duration / .milliseconds(1))))
        if let id = sent.serviceID { fields.append(JournalField("SERVICE_REQUEST", id)) }
        record(.requestSent, fields + (CallMark.current?.fields ?? []))
    }
}
