import StoreWords
import StoreAudit
import Mustache

/// The summary as a self-contained page: no script, no network, charts as inline SVG with tables beside them.
extension AuditSummary {
  /// The whole document.
  ///
  /// - Parameters:
  ///   - run: what the page says of the audit itself; nil for nothing.
  ///   - stores: the stores for its list.
  ///   - next: the parts of suggested commands.
  /// - Throws: if the template is invalid, which a test excludes.
  package func html(
    _ run: AuditPageRun? = nil, stores: AuditStoreList = AuditStoreList(), next: NextCommands = NextCommands()
  ) throws -> String {
    MustacheContentTypes.register(InertHTML(), named: InertHTML.name)
    return try AuditPageTemplate.parsed().render(AuditPage(self, run, stores, next))
  }
}

/// What the page of an audit says of the audit itself.
package struct AuditPageRun: Sendable {
  /// When the page was made, nanoseconds since 1970 UTC.
  package var moment: Int64
  /// Where stores were looked for; the files of lines for a page that was made of those.
  package var places: [String]
  /// Whether places are files of lines.
  package var isOfLines: Bool
  /// The models that stores were judged by.
  package var models: [String]
  /// The words of the command line, without the program.
  package var arguments: [String]

  /// A run.
  package init(moment: Int64, places: [String], isOfLines: Bool, models: [String], arguments: [String]) {
    self.moment = moment
    self.places = places
    self.isOfLines = isOfLines
    self.models = models
    self.arguments = arguments
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
