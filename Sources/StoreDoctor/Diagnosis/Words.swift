/// "1 row", "2 rows".
func counted(_ count: Int64, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}
