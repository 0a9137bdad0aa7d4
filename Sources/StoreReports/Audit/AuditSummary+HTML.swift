import StoreWords
import StoreAudit
import Mustache

/// The summary as a self-contained page: no script, no network, charts as inline SVG with tables beside them.
extension AuditSummary {
  /// The whole document.
  ///
  /// - Throws: if the template is invalid, which a test excludes.
  package func html() throws -> String {
    MustacheContentTypes.register(InertHTML(), named: InertHTML.name)
    return try AuditPageTemplate.parsed().render(AuditPage(self))
  }
}

/// Escapes text from a store for HTML: no character acts as markup or changes the order of others.
///
/// The package's own escaping works on grapheme clusters, so a quote with a combining accent is not escaped, although a
/// browser treats it as a quote.
struct InertHTML: MustacheContentType {
  static let name = "INERT"

  /// The start of a page's template.
  static func head(style: String) -> String {
    "{{% CONTENT_TYPE:\(name)}}\n" + head(title: "{{title}}", style: style)
  }

  /// The start of a page: nothing is loaded and no script runs.
  ///
  /// - Parameter title: markup.
  static func head(title: String, style: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <style>
    \(style)</style>
    </head>
    """
  }

  func escapeText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _: result += escapedForTerminal(String(scalar))
      }
    }
    return result
  }
}
