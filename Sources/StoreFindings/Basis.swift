/// What a statement about Core Data rests on. A statement that is only assumed has to say so.
public enum Basis: String, Sendable { case observed, documented, assumed }
