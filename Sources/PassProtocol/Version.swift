// The version of passd and passd-cli, which are always of one release.

public enum PassdVersion {
    public static let text = "0.1.0"
}
