// The library: `import StoreDoctor` gives everything that is public below it. A module that imports it alone links all
// of them. What stands in this module itself asks with paths and texts, and gives answers their text and JSON.

@_exported import StoreAudit
@_exported import StoreCoreData
@_exported import StoreDataModel
@_exported import StoreDiagnosis
@_exported import StoreExplanation
@_exported import StoreFindings
@_exported import StoreInspection
@_exported import StoreMigration
@_exported import StoreMigrator
@_exported import StoreModels
@_exported import StorePredicates
@_exported import StorePublishing
@_exported import StoreRecovery
@_exported import StoreRepair
@_exported import StoreRows
@_exported import StoreScanning
@_exported import StoreSourceChecks
@_exported import StoreSourceLint
@_exported import StoreSwiftDataSchemas
// Types of the SQLite layer that public functions take or throw; its connections are not promised.
@_exported import struct StoreSQLite.FileError
@_exported import struct StoreSQLite.PosixPath
@_exported import struct StoreSQLite.SQLiteError
