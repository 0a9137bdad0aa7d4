/// The version of storedoctor, shown by `--version` and in all reports.
package let toolVersion = "0.2.0"
