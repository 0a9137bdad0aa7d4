extension HTML {
  /// A page that stands alone: it loads nothing, and no script runs.
  ///
  /// - Parameters:
  ///   - style: what the page adds to the look of all pages.
  ///   - body: header, main part and footer, each with the end of its line.
  static func page(title: String, style: HTML = "", body: HTML) -> String {
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(PageStyle.text)\(style)</style>
      </head>
      <body>
      \(body)</body>
      </html>

      """
    return page.text
  }
}
