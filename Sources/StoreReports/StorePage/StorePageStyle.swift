/// What the page of one store adds to the look of reports: its pictures.
enum StorePageStyle {
  static let text: HTML = """
    \(ReportStyle.text)
    \(TimePicture.style)
    \(PictureMarkup.style)
    .er { display: block; }
    @media (min-width: 56.01rem) { .er { max-width: 100%; height: auto; } }
    @media print { .er, .tl { max-width: 100%; height: auto; } .tl { width: auto; max-height: 20cm; } }
    """
}
