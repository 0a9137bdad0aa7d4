@main
struct StoredoctorSwiftData {
  static func main() {}
}
