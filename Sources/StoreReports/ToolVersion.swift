/// The version of storedoctor, as `--version` and every report say it.
public let toolVersion = "0.1.0"
