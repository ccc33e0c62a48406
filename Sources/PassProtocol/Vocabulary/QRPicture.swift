// The QR code of a login's page. If an app has asked for QR codes with setOptions, it gets the code of each login together with
// a QR code. rpc.md §4.

public import PassJSON

public enum QRForm: String, Sendable, CaseIterable { case matrix, svg, png }

public enum QRPicture: Sendable, Equatable {
    /// A text of 0 and 1 for each row; 1 is dark. The app has to leave four light modules free around the code.
    case matrix([String])
    /// Text of an SVG picture, with the light margin.
    case svg(String)
    /// Bytes of a PNG file, with the light margin.
    case png([UInt8])
    /// The reason why there is no code, as a sentence.
    case problem(String)

    public static let noPage = QRPicture.problem("This login has no page, so there is nothing to scan.")

    public static let component = Component(
        "QR",
        summary: "The QR code of link (of url if there is no link), in the form that the option qr names; or "
            + "why there is no QR code.",
        schema: .object([
            .optional(
                "matrix", .array(.string),
                summary: "A text of 0 and 1 for each row; 1 is dark. Leave four light modules free around the code."),
            .optional("svg", .string, summary: "An SVG picture, with its light margin."),
            .optional("png", .string(format: "byte"), summary: "A PNG file in Base64, with its light margin."),
            .optional("problem", .string, summary: "Why there is no QR code."),
        ]))

    static let member = Member.optional("qr", .component(component), summary: "Only with the option qr.")

    public var json: JSONValue {
        switch self {
        case .matrix(let rows): ["matrix": .strings(rows)]
        case .svg(let text): ["svg": .string(text)]
        case .png(let bytes): ["png": .string(bytes.base64)]
        case .problem(let reason): ["problem": .string(reason)]
        }
    }
}
