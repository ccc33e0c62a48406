// Prints the table of flags in troff, for passd(8).

import PassTestKit

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

extension Flag {
    /// A flag that overrides a setting has that setting's default.
    var entry: String {
        let values = placeholder.map { [$0] } ?? []
        let stands = setting.flatMap(SettingTable.find).map {
            "It overrides \(Roff.bold($0.name.key)) in [\(Roff.text($0.name.section))], which is "
                + "\(Roff.text($0.defaultValue)) by default."
        }
        return Roff.entry(
            Roff.option(name, placeholder),
            [
                Roff.sentence(summary, values: values),
                details.isEmpty ? "" : Roff.sentence(details, values: values), stands ?? "",
            ])
    }
}
