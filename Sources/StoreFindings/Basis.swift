/// The kind of evidence for a statement about Core Data. An assumed statement has to say so.
public enum Basis: String, Sendable { case observed, documented, assumed }
