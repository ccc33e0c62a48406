// The common version of passd and passd-cli, which are always released together.

public enum PassdVersion {
    public static let text = "0.1.0"
}
