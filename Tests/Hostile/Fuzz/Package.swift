// swift-tools-version: 6.2
import PackageDescription

// Builds the modules of the project for fuzzing. All code counts its branches, and address errors end the program.
// `run` puts this file beside links to the project's `Sources` and to the contents of this folder.
let package = Package(
    name: "fuzz",
    targets: [
        library("CMicroHTTPD", "libmicrohttpd"),
        library("CCrypto", "libcrypto"),
        .target(name: "CCurl", path: "Sources/CLibraries/CCurl"),
        .target(name: "CBuild", path: "Sources/CLibraries/CBuild"),
        .target(name: "CCrash", dependencies: ["CBuild"], path: "Sources/CLibraries/CCrash"),
        library("CSQLite", "sqlite3"),
        library("CLinux"),
        library("CSystemd", "libsystemd"),
        module("PassJSON"),
        module(
            "PassSandbox", ["PassJSON", "CMicroHTTPD", "CCrypto"],
            resources: [
                .embedInCode("Pages/Assets/style.css"), .embedInCode("Pages/Assets/activate.js"),
                .embedInCode("Pages/Assets/favicon.svg"), .embedInCode("Pages/Assets/start.html"),
                .embedInCode("Pages/Assets/start.js"), .embedInCode("Pages/Assets/page.html"),
                .embedInCode("Pages/Assets/code.html"), .embedInCode("Pages/Assets/login.html"),
                .embedInCode("Pages/Assets/texts.json"), .embedInCode("Service/errors.txt"),
            ]),
        module("PassProtocol", ["PassJSON"]),
        module("PassThreads", ["CLinux"]),
        module("PassWire", ["PassJSON", "PassProtocol", "PassThreads", "CLinux"]),
        module("AccessEnabler", ["PassJSON", "PassProtocol"]),
        module("PassBackend", ["PassJSON", "PassProtocol", "PassThreads", "AccessEnabler", "CCurl"]),
        module("PassVault", ["PassJSON", "PassThreads", "AccessEnabler", "CSQLite", "CCrypto"]),
        module("PassSystem", ["PassJSON", "PassThreads", "CBuild", "CCrash", "CLinux", "CSystemd"]),
        module(
            "PassConfiguration",
            ["PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault", "PassSystem"]),
        module(
            "PassPlatform",
            ["PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassSystem", "CCrypto"]),
        module(
            "PassServer",
            [
                "PassJSON", "PassProtocol", "PassThreads", "PassWire", "AccessEnabler", "PassSystem",
                "PassConfiguration", "CCrypto",
            ]),
        .systemLibrary(name: "CFuzzer", path: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "PassJSON", "PassProtocol", "PassWire", "AccessEnabler", "PassBackend", "PassVault",
                "PassSystem",
                "PassConfiguration", "PassPlatform", "PassServer", "PassSandbox",
            ], path: "Targets", swiftSettings: instrumented(),
            // The default linker, gold, cannot read the instrumented code, but lld can.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)

/// Optimised, but the targets can still see internal names.
func instrumented() -> [SwiftSetting] { [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])] }

func library(_ name: String, _ pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig)
}

func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources,
        // As in the project's own Package.swift.
        swiftSettings: instrumented() + [
            .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
        ])
}
