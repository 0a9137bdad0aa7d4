import StoreDiagnosis
import StoreFindings

/// What something is, by shape, word and colour.
enum Mark {
  case error, warning, note, kept, lost, unknown

  init(_ severity: Severity) {
    switch severity {
    case .error: self = .error
    case .warning: self = .warning
    case .note: self = .note
    }
  }

  private var shape: HTML {
    switch self {
    case .error: "<path d=\"M1 1h14v14H1zM4 6.6v2.8h8V6.6z\" fill-rule=\"evenodd\"/>"
    case .warning: "<path d=\"M8 1l7.5 14H.5z\"/>"
    case .note: "<path d=\"M8 1a7 7 0 100 14A7 7 0 008 1zm0 2.2a4.8 4.8 0 110 9.6 4.8 4.8 0 010-9.6z\"/>"
    case .kept: "<path d=\"M6.2 14L.8 8.4l2-2 3.4 3.4L13.2 2l2 2z\"/>"
    case .lost: "<path d=\"M8 15L.5 1h15zM8 10.8L12.2 3H3.8z\" fill-rule=\"evenodd\"/>"
    case .unknown: "<path d=\"M8 0l8 8-8 8-8-8zm0 3L3 8l5 5 5-5z\" fill-rule=\"evenodd\"/>"
    }
  }

  private var style: HTML {
    switch self {
    case .error: "error"
    case .warning, .lost: "warning"
    case .note, .unknown: "note"
    case .kept: "kept"
    }
  }

  func labelled(_ word: String) -> HTML {
    "<span class=\"sev \(style)\"><svg aria-hidden=\"true\" viewBox=\"0 0 16 16\">\(shape)</svg>\(word)</span>"
  }
}

extension Mark {
  init(_ opening: OpeningVerdict) {
    switch opening.verdict {
    case .opens, .healthy, .findings: self = .kept
    case .migrates: self = opening.isLosing ? .lost : .kept
    case .unknownVersion: self = .unknown
    case .blockedByData, .needsCustomStage, .foreignModel, .damaged: self = .error
    }
  }
}
