/// What a statement about Core Data rests on; what is only assumed has to be said so.
public enum Basis: String, Sendable { case observed, documented, assumed }
