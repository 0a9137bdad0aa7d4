import StoreWords
import StoreAudit
import Mustache

/// The summary as one page that needs nothing else: no script, no network, charts as inline SVG with tables beside them.
extension AuditSummary {
  /// The whole document.
  ///
  /// - Throws: when the template is no template, which a test rules out.
  public func html() throws -> String {
    MustacheContentTypes.register(InertHTML(), named: InertHTML.name)
    return try AuditPageTemplate.parsed().render(AuditPage(self))
  }
}

/// Text from a store in HTML: no character acts as markup, and none changes the order or place of others.
///
/// The package's own escaping goes by characters as people count them, so that a quote with an accent on it is another
/// character and passes as it is; a browser takes it for a quote.
struct InertHTML: MustacheContentType {
  static let name = "INERT"

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
