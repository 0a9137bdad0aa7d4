import StoreText

/// A date and time in UTC from seconds since 2001-01-01, whole seconds.
func timestamp(_ secondsSince2001: Double) -> String {
  DateText.text(secondsSince2001: secondsSince2001) ?? "not a date"
}

/// A date and time in UTC from nanoseconds since 1970-01-01.
func timestamp(nanoseconds: Int64) -> String { DateText.text(nanosecondsSince1970: nanoseconds) }
