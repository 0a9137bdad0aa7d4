import StoreDigests
import StoreText

extension HTML {
  /// A page of an audit or a recovery.
  ///
  /// - Parameters:
  ///   - style: what the page adds to the look of such pages.
  ///   - script: ``TableScript``, where it has a table that can be filtered.
  ///   - body: header, main part and footer, each with the end of its line.
  static func page(title: String, style: HTML = "", script: HTML = "", body: HTML) -> String {
    strictPage(title: title, style: "\(PageStyle.text)\(style)", script: script, body: body)
  }

  /// A page under a strict policy: nothing but its own style and script, which the policy names by their digests, has any
  /// effect, and nothing can be loaded, sent or embedded.
  static func strictPage(title: String, style: HTML, script: HTML = "", body: HTML) -> String {
    let allowedScript: HTML = script.text.isEmpty ? "" : "; script-src 'sha256-\(script.digest)'"
    let end: HTML = script.text.isEmpty ? "" : "<script>\(script)</script>\n"
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-\(style.digest)'\(allowedScript); base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(title)</title>
      <style>\(style)</style>
      </head>
      <body>
      \(body)\(end)</body>
      </html>

      """
    return page.text
  }

  /// The digest by which a policy names it.
  private var digest: String { base64(Digests.sha256(Array(text.utf8))) }
}
