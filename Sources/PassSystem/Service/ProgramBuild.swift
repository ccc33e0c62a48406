// Reads the notes that the linker has put into this program.

import CBuild

public enum ProgramBuild {
    /// The build id in hexadecimal; nil if the linker got none.
    public static var id: String? { pass_build_id().map { String(cString: $0) } }
    /// The commit of the sources; nil if it is unknown.
    public static var commit: String? { pass_build_commit().map { String(cString: $0) } }
}
