// Sets options of a session. Each call changes only the options that it contains. Contract: access-enabler.md §5.3; rpc.md
// §4.

public import PassJSON

public enum SetOptions: RPCMethod {
    public enum Flow: String, Sendable, CaseIterable { case secondScreen, browser }

    /// The texts for the service. An empty text removes the option.
    public enum Text: String, Sendable, CaseIterable {
        /// The name of a configuration of the service. Only a service on this machine gets this text. OQ-25.
        case applicationProfile
        /// The viewer's Experience Cloud ID.
        case visitorID
        /// The app's own description of its device, in Base64. It replaces the daemon's description.
        case deviceInfo
    }

    private static let noQR = "none"

    public static let definition = MethodDefinition(
        "setOptions",
        "Sets options for all later calls of this session. Options that the call leaves out do not "
            + "change.",
        params: [
            .optional(
                "applicationProfile", .string,
                summary:
                    "Sent to the sandbox with every call, but not to a real service, whose name for this option is "
                    + "unknown."),
            .optional("visitorID", .string, summary: "Experience Cloud ID; sent with every call to the service."),
            .optional("handleSVC", .boolean, summary: "The app opens the secure browser itself.", default: false),
            .optional(
                "deviceInfo", .string(format: "byte"),
                summary: "Base64; replaces the whole description of the device that passd would send."),
            .optional("flow", .words(Flow.self), summary: "How the viewer logs in.", default: "secondScreen"),
            .optional("callbacks", .boolean, summary: "Whether the session gets notifications.", default: true),
            .optional(
                "qr", .enumeration([noQR] + QRForm.allCases.map(\.rawValue)),
                summary: "The form of the QR code that comes with each code for the second screen.",
                default: "none"),
            .optional(
                "language", .string,
                summary:
                    "BCP 47 tag, such as de-AT: the language of passd's sentences for the viewer. If there are no "
                    + "texts in this language, the sentences are in English.", default: "en"),
        ],
        capability: .entitlement, example: .init(["visitorID": "1234", "flow": "secondScreen"], [:]))

    public struct Params: MethodParams {
        /// Options that are missing or nil stay unchanged.
        public var texts: [Text: String] = [:]
        public var handleSVC: Bool?
        public var flow: Flow?
        public var callbacks: Bool?
        /// The form of QR codes; nil leaves it unchanged, and `.some(nil)` turns QR codes off.
        public var qr: QRForm??
        /// The tag of the language for the box's sentences.
        public var language: String?

        public init() {}

        /// The max size of each text in bytes. Larger texts are useless, because a header of a request has even less room.
        public static let maxTextSize = 16 << 10

        /// Takes over the options that `later` contains.
        public mutating func take(over later: Params) {
            texts.merge(later.texts) { $1 }
            handleSVC = later.handleSVC ?? handleSVC
            flow = later.flow ?? flow
            callbacks = later.callbacks ?? callbacks
            if let wish = later.qr { qr = .some(wish) }
            language = later.language ?? language
        }

        public init(params: JSONValue) throws(SchemaFault) {
            for text in Text.allCases { try params.limit(text.rawValue, to: Self.maxTextSize) }
            // Control characters are refused, because the texts are sent unchanged in headers and addresses. `deviceInfo` needs
            // no check, because Base64 has none.
            for text in Text.allCases where text != .deviceInfo { try params.refuseControlCharacters(text.rawValue) }
            for text in Text.allCases { texts[text] = params.optionalText(text.rawValue) }
            handleSVC = params["handleSVC"]?.bool
            if let deviceInfo = texts[.deviceInfo], !Self.isBase64(deviceInfo) {
                throw SchemaFault(path: "deviceInfo", expected: "Base64", found: "a different text")
            }
            flow = params.optionalText("flow").flatMap(Flow.init(rawValue:))
            callbacks = params["callbacks"]?.bool
            qr = params.optionalText("qr").map { QRForm(rawValue: $0) }
            language = params.optionalText("language")
            if let language, !Self.isTag(language) {
                throw SchemaFault(path: "language", expected: "a BCP 47 tag, such as de-AT", found: "a different text")
            }
        }

        private static func isTag(_ text: String) -> Bool {
            text.utf8.count <= 35
                && text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy {
                    1...8 ~= $0.count
                        && $0.allSatisfy {
                            switch $0 {
                            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                            default: false
                            }
                        }
                }
        }

        /// Accepts both alphabets of Base64, with and without padding.
        private static func isBase64(_ text: String) -> Bool {
            let bare = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            let padding = text.utf8.count - bare.count
            return padding <= 2 && bare.count % 4 != 1 && text.utf8.suffix(padding).allSatisfy { $0 == 0x3D }
                && (padding == 0 || (bare.count + padding) % 4 == 0)
                && bare.allSatisfy {
                    switch $0 {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x2D, 0x5F: true
                    default: false
                    }
                }
        }

        public var json: JSONValue {
            let texts = Text.allCases.compactMap { text in
                self.texts[text].map { (text.rawValue, JSONValue.string($0)) }
            }
            return JSONValue.members([
                "handleSVC": handleSVC.map(JSONValue.bool), "flow": flow.map { .string($0.rawValue) },
                "callbacks": callbacks.map(JSONValue.bool),
                "qr": qr.map { .string($0?.rawValue ?? SetOptions.noQR) },
                "language": language.map(JSONValue.string),
            ]).adding(texts)
        }
    }
}
