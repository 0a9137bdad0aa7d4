# A formula for Homebrew. Not run here: no Mac, and no release whose sum could stand in it.
class Storedoctor < Formula
  desc "Forensics and repair of Core Data and SwiftData stores"
  homepage "https://github.com/storedoctor/storedoctor"
  url "https://github.com/storedoctor/storedoctor.git", tag: "v0.2.0"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on "pkgconf" => :build
  depends_on "libyaml"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "storedoctor"
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "storedoctor-swiftdata"
    bin.install ".build/release/storedoctor", ".build/release/storedoctor-swiftdata"
    man1.install Dir["docs/man/*.1"]
    generate_completions_from_executable(bin/"storedoctor", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/storedoctor --version")
  end
end
