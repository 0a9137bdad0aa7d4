/// The version of storedoctor, shown by `--version` and in all reports.
public let toolVersion = "0.1.0"
