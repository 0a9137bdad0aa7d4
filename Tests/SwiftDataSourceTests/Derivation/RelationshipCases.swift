extension RuleCase {
  /// Relationships and uniqueness.
  static let relationships: [RuleCase] = [
    RuleCase(
      "@Attribute(.unique), and the inverse that the other side states", "PersistentKeyword",
      "286ac09d230fd54050fa33f989e478745766f6e456377137b124d05f2e1a82fb",
      #"""
      @Model final class PersistentKeyword {
        @Attribute(.unique) var id: String; var contractId: String; var dataContract: PersistentDataContract?
        var keyword: String
      }
      @Model final class PersistentDataContract { @Relationship(inverse: \PersistentKeyword.dataContract) var keywordRelations: [PersistentKeyword] }
      """#),
    RuleCase(
      "a key path that names the type with its enum", "PersistentKeyword",
      "286ac09d230fd54050fa33f989e478745766f6e456377137b124d05f2e1a82fb",
      #"""
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [PersistentKeyword.self] }
        @Model final class PersistentKeyword {
          @Attribute(.unique) var id: String; var contractId: String; var dataContract: PersistentDataContract?
          var keyword: String
        }
        @Model final class PersistentDataContract { @Relationship(inverse: \V1.PersistentKeyword.dataContract) var keywordRelations: [PersistentKeyword] }
      }
      """#),
    RuleCase(
      "#Unique of several; a required to-one has minimum 0 and maximum 1", "PersistentDashpayIgnoredSender",
      "5386ff4fc63f0b1dfd6a42d6e9b3db3c54339691cb55593ce169c5ba4378f680",
      #"""
      @Model final class PersistentDashpayIgnoredSender {
        #Unique<PersistentDashpayIgnoredSender>([\.networkRaw, \.ownerIdentityId, \.ignoredSenderId])
        var ignoredAt: Date; var ignoredSenderId: Data; var networkRaw: UInt32; var owner: PersistentIdentity
        var ownerIdentityId: Data
      }
      @Model final class PersistentIdentity { @Relationship(inverse: \PersistentDashpayIgnoredSender.owner) var dashpayIgnoredSenders: [PersistentDashpayIgnoredSender] }
      """#),
    RuleCase(
      "two @Attribute(.unique) are two constraints", "PersistentPlatformAddress",
      "0cae31a85f8e343c9fe45a8bb44a14958f688456ad6a5c9e39a1331c46e16039",
      #"""
      @Model final class PersistentPlatformAddress {
        @Attribute(.unique) var address: String; @Attribute(.unique) var addressHash: Data
        var account: PersistentAccount?; var accountIndex: UInt32; var addressIndex: UInt32; var addressType: UInt8
        var balance: UInt64; var createdAt: Date; var derivationPath: String; var firstSeenHeight: UInt32
        var isUsed: Bool; var lastSeenHeight: UInt64; var lastUpdated: Date; var nonce: UInt32; var publicKey: Data
        var walletId: Data
      }
      @Model final class PersistentAccount { @Relationship(inverse: \PersistentPlatformAddress.account) var platformAddresses: [PersistentPlatformAddress] }
      """#),
    RuleCase(
      "both forms of uniqueness, over a relationship too", "PersistentAccount",
      "a5d5dc075d2d634d1a6f0ce025fe0aa323e2747443119c94eb65d024aa47985d",
      #"""
      @Model final class PersistentAccount {
        #Unique<PersistentAccount>([\.wallet, \.accountType, \.accountIndex, \.standardTag, \.registrationIndex, \.keyClass, \.userIdentityId, \.friendIdentityId])
        @Attribute(.unique) var accountExtendedPubKeyBytes: Data?; var accountIndex: UInt32; var accountType: UInt32
        var accountTypeName: String; var balanceConfirmed: UInt64; var balanceUnconfirmed: UInt64; var createdAt: Date
        var externalHighestUsed: Int32; var friendIdentityId: Data; var internalHighestUsed: Int32; var keyClass: UInt32
        var lastUpdated: Date; var registrationIndex: UInt32; var standardTag: UInt8; var userIdentityId: Data
        var wallet: PersistentWallet; var involvedTransactions: [PersistentTransaction] = []
        @Relationship(deleteRule: .cascade, inverse: \PersistentCoreAddress.account) var coreAddresses: [PersistentCoreAddress]
        @Relationship(deleteRule: .cascade, inverse: \PersistentPlatformAddress.account) var platformAddresses: [PersistentPlatformAddress]
      }
      @Model final class PersistentCoreAddress { var account: PersistentAccount? }
      @Model final class PersistentTransaction { @Relationship(inverse: \PersistentAccount.involvedTransactions) var involvedAccounts: [PersistentAccount] }
      @Model final class PersistentPlatformAddress { var account: PersistentAccount? }
      @Model final class PersistentWallet { @Relationship(inverse: \PersistentAccount.wallet) var accounts: [PersistentAccount] }
      """#),
    RuleCase(
      "[T] is required with maximum 0; T? is optional", "PersistentCoreAddress",
      "2518791fe1ebe9fbab8586ba08cb0a527259360e6cfe710287ca73f8959dd14c",
      #"""
      @Model final class PersistentCoreAddress {
        @Attribute(.unique) var address: String; var account: PersistentAccount?; var addressIndex: UInt32
        var balance: UInt64; var createdAt: Date; var derivationPath: String; var firstSeenHeight: UInt32
        var isUsed: Bool; var keyType: UInt8 = 0; var lastSeenHeight: UInt32; var lastUpdated: Date
        var poolTypeTag: UInt8; var publicKey: Data
        @Relationship(deleteRule: .cascade, inverse: \PersistentTxo.coreAddress) var txos: [PersistentTxo] = []
      }
      @Model final class PersistentAccount { @Relationship(inverse: \PersistentCoreAddress.account) var coreAddresses: [PersistentCoreAddress] }
      @Model final class PersistentTxo { var coreAddress: PersistentCoreAddress? }
      """#),
    RuleCase(
      "[T]? is optional", "PersistentDocumentType", "c3689448841fb9d75e55153213f960504ee839bbc6d695b33b5021d88076c41b",
      #"""
      @Model final class PersistentDocumentType {
        @Attribute(.unique) var id: Data; var contractId: Data; var createdAt: Date; var creationRestrictionMode: Int
        var dataContract: PersistentDataContract?; var documentsCanBeDeleted: Bool; var documentsKeepHistory: Bool
        var documentsMutable: Bool; var documentsTransferable: Bool; var lastAccessedAt: Date; var name: String
        var propertiesJSON: Data; var requiredFieldsJSON: Data?; var requiresIdentityDecryptionBoundedKey: Bool
        var requiresIdentityEncryptionBoundedKey: Bool; var schemaJSON: Data; var securityLevel: Int; var tradeMode: Int
        @Relationship(deleteRule: .cascade, inverse: \PersistentDocument.documentType_relation) var documents: [PersistentDocument]?
        @Relationship(deleteRule: .cascade, inverse: \PersistentIndex.documentType) var indices: [PersistentIndex]?
        @Relationship(deleteRule: .cascade, inverse: \PersistentProperty.documentType) var propertiesList: [PersistentProperty]?
      }
      @Model final class PersistentDataContract { @Relationship(inverse: \PersistentDocumentType.dataContract) var documentTypes: [PersistentDocumentType]? }
      @Model final class PersistentDocument { var documentType_relation: PersistentDocumentType? }
      @Model final class PersistentIndex { var documentType: PersistentDocumentType? }
      @Model final class PersistentProperty { var documentType: PersistentDocumentType? }
      """#),
    RuleCase(
      "many-to-many with an inverse on one side", "Category",
      "1fb28c4d55e34f528600f186b5601289e142e4f882405e59221a7561616deef1",
      #"""
      @Model final class Category {
        @Relationship(deleteRule: .nullify) var expenses: [Expense] = []; var id: UUID = UUID(); var name: String?
        var symbolName: String?; var currencyCode: String = ""; var monthlyBudget: Decimal?; var sortOrder: Int = 0
        var createdAt: Date = Date.now
      }
      @Model final class Expense { @Relationship(inverse: \Category.expenses) var categories: [Category] }
      """#),
    RuleCase(
      "@Relationship without inverse on both sides is two one-way relationships", "PersistentTokenBalance",
      "6ea32b253749c13392e4c7aa471b0872d4b1a9d36bb260beb9c6bb4d40a7474e",
      #"""
      @Model final class PersistentTokenBalance {
        var balance: Int64; var createdAt: Date; var frozen: Bool; var identityId: Data; var lastSyncedAt: Date?
        var lastUpdated: Date; var networkRaw: UInt32; var tokenDecimals: Int32?; var tokenId: String
        var tokenName: String?; var tokenSymbol: String?
        @Relationship(deleteRule: .nullify) var identity: PersistentIdentity?
        @Relationship(inverse: \PersistentToken.balances) var token: PersistentToken?
      }
      @Model final class PersistentIdentity { @Relationship var tokenBalances: [PersistentTokenBalance] }
      @Model final class PersistentToken { @Relationship var balances: [PersistentTokenBalance]? }
      """#),
    RuleCase(
      "an optional array whose inverse is stated elsewhere", "Garnish",
      "76a9959e90e79ed17b32a980a29e5368b953c5b7e7fd4073cfe063e316d44cc5",
      #"""
      @Model final class Garnish {
        #Unique<Garnish>([\.name])
        var name: String; var cocktails: [Cocktail]?
      }
      @Model final class Cocktail { @Relationship(inverse: \Garnish.cocktails) var garnish: [Garnish] }
      """#),
    RuleCase(
      "plain on both sides, to-one optional: the inverse is inferred", "Artifact",
      "fd77bbe796f076b267264df96ae5de1f0fa3cb27e7c1918995968122d920d48a",
      #"""
      @Model final class Artifact {
        var id: UUID = UUID(); var type: String; var path: String; var content: String?; var version: Int = 1
        var createdAt: Date; var task: AgentTask?
      }
      @Model final class AgentTask { var artifacts: [Artifact] = [] }
      """#),
  ]
}
