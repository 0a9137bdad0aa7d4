/// The colours of all pages: light, dark, and on paper.
enum Palette {
  static let text: HTML = """
    :root { color-scheme: light dark; --bg: #fff; --ink: #15181c; --soft: #57606b; --line: #e2e5e9; --mid: #b9c0c8;
      --wash: #f5f6f8; --accent: #2346b8; --error: #b42318; --warn: #865100; --ok: #17693b; --bar: #7f90ad; }
    @media (prefers-color-scheme: dark) { :root { --bg: #0f1215; --ink: #e6e9ed; --soft: #9ea8b4; --line: #272d34;
      --mid: #4b545f; --wash: #171b20; --accent: #9ab6ff; --error: #ff9b8f; --warn: #efbd68; --ok: #78d0a1; --bar: #7286a8; } }
    @media print { :root { color-scheme: light; --bg: #fff; --ink: #000; --soft: #444; --line: #ccc; --mid: #999; --wash: #f3f3f3;
      --accent: #1b2f80; --error: #b42318; --warn: #865100; --ok: #17693b; --bar: #7f90ad; } }
    """
}
