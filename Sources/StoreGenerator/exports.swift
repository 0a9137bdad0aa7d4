// Who describes a store for a test writes it, too.
@_exported import StoreWriting
