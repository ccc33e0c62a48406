// swift-tools-version: 6.2
import PackageDescription

// The import table of the project: a target may depend only on targets above it. Tests/RepositoryTests compares the sources
// with this table.
let package = Package(
    name: "passd",
    products: [
        .executable(name: "pass-sandbox", targets: ["pass-sandbox"]),
        .executable(name: "passd", targets: ["passd"]),
        .executable(name: "passd-cli", targets: ["passd-cli"]),
        .library(name: "PassClient", targets: ["PassClient", "PassJSON", "PassProtocol"]),
    ],
    targets: [
        .systemLibrary(
            name: "CMicroHTTPD", path: "Sources/CLibraries/CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CCrypto", path: "Sources/CLibraries/CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        // libcurl is loaded when it is first needed. The build needs only its headers.
        .target(name: "CCurl", path: "Sources/CLibraries/CCurl"),
        .systemLibrary(
            name: "CSQLite", path: "Sources/CLibraries/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        // libqrencode is loaded for the first code. The build needs only its headers.
        .target(name: "CQREncode", path: "Sources/CLibraries/CQREncode"),
        .systemLibrary(name: "CChild", path: "Sources/CLibraries/CChild"),
        .systemLibrary(name: "CLinux", path: "Sources/CLibraries/CLinux"),
        .systemLibrary(
            name: "CSystemd", path: "Sources/CLibraries/CSystemd", pkgConfig: "libsystemd",
            providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CArguments", path: "Sources/CLibraries/CArguments"),
        .target(name: "CBuild", path: "Sources/CLibraries/CBuild"),
        .target(name: "CCompletion", path: "Sources/CLibraries/CCompletion"),
        .target(name: "CCrash", dependencies: ["CBuild"], path: "Sources/CLibraries/CCrash"),
        .target(name: "CTexts", path: "Sources/CLibraries/CTexts", exclude: ["reasons.txt", "statuses.txt"]),
        .target(name: "CDescription", path: "Sources/CLibraries/CDescription", exclude: ["openrpc.json"]),
        .target(name: "PassJSON"),
        .target(name: "PassArguments", dependencies: ["PassJSON", "CBuild"]),
        .target(
            name: "PassSandbox", dependencies: ["PassJSON", "CMicroHTTPD", "CCrypto"],
            resources: [
                .embedInCode("Pages/Assets/style.css"), .embedInCode("Pages/Assets/activate.js"),
                .embedInCode("Pages/Assets/favicon.svg"), .embedInCode("Pages/Assets/start.html"),
                .embedInCode("Pages/Assets/start.js"), .embedInCode("Pages/Assets/page.html"),
                .embedInCode("Pages/Assets/code.html"), .embedInCode("Pages/Assets/login.html"),
                .embedInCode("Pages/Assets/texts.json"),
                .embedInCode("Service/errors.txt"),
            ]),
        .target(
            name: "PassSandboxCLI",
            dependencies: ["PassArguments", "PassJSON", "PassSandbox", "CMicroHTTPD", "CCurl", "CChild"],
            path: "Sources/pass-sandbox", exclude: ["Main"]),
        .executableTarget(
            name: "pass-sandbox", dependencies: ["PassSandboxCLI"], path: "Sources/pass-sandbox/Main"),
        .target(name: "PassProtocol", dependencies: ["PassJSON", "CTexts"]),
        .target(name: "PassQR", dependencies: ["PassProtocol", "CQREncode"]),
        .target(name: "PassThreads", dependencies: ["CLinux"]),
        .target(name: "PassWire", dependencies: ["PassJSON", "PassProtocol", "PassThreads", "CLinux"]),
        .target(name: "AccessEnabler", dependencies: ["PassJSON", "PassProtocol"]),
        .target(
            name: "PassBackend", dependencies: ["PassJSON", "PassProtocol", "PassThreads", "AccessEnabler", "CCurl"]),
        .target(
            name: "PassVault", dependencies: ["PassJSON", "PassThreads", "AccessEnabler", "CSQLite", "CCrypto"]),
        .target(
            name: "PassSystem", dependencies: ["PassJSON", "PassThreads", "CBuild", "CCrash", "CLinux", "CSystemd"]),
        .target(
            name: "PassConfiguration",
            dependencies: [
                "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassSystem",
            ]),
        .target(
            name: "PassPlatform",
            dependencies: [
                "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassSystem", "CCrypto",
            ]),
        .target(
            name: "PassServer",
            dependencies: [
                "PassJSON", "PassProtocol", "PassThreads", "PassWire", "AccessEnabler", "PassSystem",
                "PassConfiguration", "CCrypto", "CDescription",
            ]),
        .target(name: "PassClient", dependencies: ["PassJSON", "PassProtocol", "PassWire"]),
        .target(
            name: "PassDaemon",
            dependencies: [
                "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassSystem",
                "PassConfiguration", "PassPlatform", "PassServer", "PassQR", "PassArguments", "CArguments",
            ], path: "Sources/passd", exclude: ["Main"]),
        .executableTarget(
            name: "passd", dependencies: ["PassDaemon"], path: "Sources/passd/Main"),
        .target(
            name: "PassCLI",
            dependencies: [
                "PassArguments", "PassClient", "PassJSON", "PassProtocol", "PassQR", "PassWire", "CCompletion",
            ], path: "Sources/passd-cli", exclude: ["Main"]),
        .executableTarget(
            name: "passd-cli", dependencies: ["PassCLI"], path: "Sources/passd-cli/Main"),
        // Drives PassClient for the conformance suite. It is not a product, so no package contains it.
        .executableTarget(
            name: "passclient-driver", dependencies: ["PassClient", "PassJSON", "PassProtocol", "PassWire"],
            path: "clients/conformance/drivers/swift"),
        .target(name: "PassTestTools", path: "Tests/PassTestTools"),
        .target(
            name: "PassTestKit",
            dependencies: ["AccessEnabler", "PassJSON", "PassProtocol", "PassWire"], path: "Tests/PassTestKit"),
        .target(name: "PassCompletion", dependencies: ["PassArguments"], path: "Tests/PassCompletion"),
        .target(name: "PassDescription", dependencies: ["PassJSON", "PassProtocol"], path: "Tests/PassDescription"),
        // Writes the generated files. Like the driver, it is not a product.
        .target(
            name: "PassDocuments",
            dependencies: [
                "PassJSON", "PassArguments", "PassCompletion", "PassProtocol", "PassWire", "PassVault", "PassSystem",
                "PassConfiguration", "PassServer", "PassDaemon", "PassCLI", "PassSandboxCLI", "PassDescription",
            ], path: "Tests/PassDocuments", exclude: ["Main"]),
        .executableTarget(
            name: "generate-documents", dependencies: ["PassDocuments"], path: "Tests/PassDocuments/Main"),
        .testTarget(name: "PassSandboxTests", dependencies: ["PassJSON", "PassSandbox", "CCrypto", "PassTestTools"]),
        .testTarget(name: "PassJSONTests", dependencies: ["PassJSON"]),
        .testTarget(name: "PassProtocolTests", dependencies: ["PassJSON", "PassProtocol", "PassDescription"]),
        .testTarget(
            name: "PassQRTests", dependencies: ["PassJSON", "PassProtocol", "PassQR", "PassTestTools"]),
        .testTarget(
            name: "PassWireTests",
            dependencies: ["PassJSON", "PassProtocol", "PassWire", "PassTestKit", "PassTestTools"]),
        .testTarget(
            name: "AccessEnablerTests",
            dependencies: ["PassJSON", "PassProtocol", "AccessEnabler", "PassTestKit", "PassTestTools"],
            exclude: ["Traces"]),
        .testTarget(
            name: "PassBackendTests",
            dependencies: ["PassJSON", "PassProtocol", "AccessEnabler", "PassBackend", "PassTestKit", "PassTestTools"]),
        .testTarget(
            name: "PassVaultTests",
            dependencies: ["PassJSON", "AccessEnabler", "PassVault", "CSQLite", "PassTestTools"]),
        .testTarget(
            name: "PassSystemTests", dependencies: ["PassThreads", "PassSystem", "CLinux", "PassTestTools"]),
        .testTarget(
            name: "PassClientTests",
            dependencies: ["PassJSON", "PassProtocol", "PassWire", "PassClient", "PassTestKit", "PassTestTools"]),
        .testTarget(
            name: "PassdTests",
            dependencies: [
                "PassCLI", "PassDaemon", "PassArguments", "PassJSON", "PassProtocol", "PassWire", "AccessEnabler",
                "PassBackend", "PassVault", "PassSystem", "PassConfiguration", "PassPlatform", "PassServer",
                "PassTestKit", "CCrypto", "PassTestTools",
            ]),
        .testTarget(
            name: "PassdCLITests",
            dependencies: [
                "passd-cli", "PassCLI", "PassArguments", "PassClient", "PassJSON", "PassProtocol", "PassQR", "PassWire",
                "PassTestKit", "PassTestTools", "PassDescription",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "pass-sandbox", "passd", "passd-cli", "PassSandboxCLI", "PassArguments", "PassCompletion",
                "PassSandbox", "AccessEnabler", "PassBackend", "PassJSON", "PassProtocol", "PassWire", "PassTestKit",
                "PassTestTools",
            ], path: "Tests/EndToEnd", exclude: ["Resources"]),
        .testTarget(
            name: "PassDocumentsTests",
            dependencies: [
                "PassArguments", "PassConfiguration", "PassDocuments", "PassProtocol", "PassSandboxCLI", "PassServer",
                "PassSystem",
            ]),
        .testTarget(name: "RepositoryTests", dependencies: ["PassTestTools"]),
    ],
    swiftLanguageModes: [.v6]
)

// An import is visible only in its own file, unless it is a `public import`.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
