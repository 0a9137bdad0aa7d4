extension RuleCase {
  /// Scalar types.
  static let scalars: [RuleCase] = [
    RuleCase(
      "Decimal, UUID, Date and optional String", "Expense",
      "9cc544706a13fc51cd45d8b7748e3f0185702b787a0e51fe89828b58c7695e09",
      #"""
      @Model final class Expense {
        var note: String?; var id: UUID = UUID(); var date: Date = Date.now; var amount: Decimal = Decimal(0)
        var currencyCode: String = ""; var createdAt: Date = Date.now; var updatedAt: Date = Date.now
      }
      """#),
    RuleCase(
      "UInt64 is Integer 64", "PersistentPlatformAddressesSyncState",
      "de52a03d68033a8cf1bf7e95f2e8f1b8e318ef67cd289ffa9f60595c0a4e24b9",
      #"""
      @Model final class PersistentPlatformAddressesSyncState {
        @Attribute(.unique) var walletId: Data; var lastKnownRecentBlock: UInt64; var lastUpdated: Date
        var networkRaw: UInt32; var syncHeight: UInt64; var syncTimestamp: UInt64
      }
      """#),
    RuleCase(
      "Int32 is Integer 32, Int64 and Int are Integer 64", "PersistentAssetLock",
      "7fb4ccbc526302d09df6f3f11f9d9eb269c2dd33ee93e1a4a31f72714145399c",
      #"""
      @Model final class PersistentAssetLock {
        @Attribute(.unique) var outPointHex: String; var accountIndexRaw: Int32 = 0; var amountDuffs: Int64
        var createdAt: Date; var fundingTypeRaw: Int; var identityIndexRaw: Int32; var proofBytes: Data?
        var recipientPlatformAddressHash: Data?; var recipientPlatformAddressType: UInt8?; var statusRaw: Int
        var transactionBytes: Data; var updatedAt: Date; var walletId: Data
      }
      """#),
    RuleCase(
      "UInt8, UInt16 are Integer 16, UInt32 is Integer 32", "PersistentMasternode",
      "b33b6a7c27a4df67e0319b96e1f4337e9a67e8213d0d97d540167a140967d656",
      #"""
      @Model final class PersistentMasternode {
        #Unique<PersistentMasternode>([\.walletId, \.proTxHash])
        var collateralTxid: Data?; var collateralVout: UInt32; var createdAt: Date; var hasRegistration: Bool
        var isEvonode: Bool; var lastUpdated: Date; var operatorAccountType: UInt8 = 0
        var operatorInWallet: Bool = false; var operatorKeyIndex: UInt32 = 0; var operatorPseudoAddress: String?
        var operatorPublicKey: Data?; var orderIndex: UInt32; var ownerAccountType: UInt8 = 0; var ownerAddress: String?
        var ownerInWallet: Bool = false; var ownerKeyHash: Data?; var ownerKeyIndex: UInt32 = 0
        var payoutAddress: String?; var platformAccountType: UInt8 = 0; var platformInWallet: Bool = false
        var platformKeyIndex: UInt32 = 0; var platformNodeAddress: String?; var platformNodeId: Data?
        var proTxHash: Data; var registrationHeight: UInt32; var registrationTxid: Data; var revocationReason: UInt16
        var revoked: Bool; var serviceAddress: String?; var statusRaw: UInt8 = 3; var txCount: UInt32
        var typeIndex: UInt32 = 0; var votingAccountType: UInt8 = 0; var votingAddress: String?
        var votingInWallet: Bool = false; var votingKeyHash: Data?; var votingKeyIndex: UInt32 = 0; var walletId: Data
      }
      """#),
    RuleCase(
      "Int16 is Integer 16", "PersistentDPNSName", "0b3c83f1ed265b4ef9e4ee404d0354f3da7eb70004d38d8bded2f5bae4debaed",
      #"""
      @Model final class PersistentDPNSName {
        #Unique<PersistentDPNSName>([\.networkRaw, \.normalizedParentDomainName, \.normalizedLabel])
        var acquiredAt: UInt64; var counterpartyIdBase58: String?; var createdAt: Date; var documentCreatedAtMs: UInt64?
        var documentIdBase58: String?; var documentTransferredAtMs: UInt64?; var documentUpdatedAtMs: UInt64?
        var identity: PersistentIdentity; var isOwned: Bool = true; var label: String; var lastUpdated: Date
        var marketplaceUpdatedAt: UInt64 = 0; var networkRaw: UInt32; var normalizedLabel: String
        var normalizedParentDomainName: String; var parentDomainName: String; var priceCredits: Int64?
        var saleStatusRaw: Int16 = 0
      }
      @Model final class PersistentIdentity { @Relationship(inverse: \PersistentDPNSName.identity) var dpnsNames: [PersistentDPNSName] }
      """#),
    RuleCase(
      "an array of UInt32 is Transformable", "PersistentDashpayContactRequest",
      "3ed2ec9984523024a43af961442d85cf02f5db87302e1c8aa68ef9c407d12901",
      #"""
      @Model final class PersistentDashpayContactRequest {
        #Unique<PersistentDashpayContactRequest>([\.networkRaw, \.ownerIdentityId, \.contactIdentityId, \.isOutgoing])
        var accountReference: UInt32; var autoAcceptProof: Data?; var contactAcceptedAccounts: [UInt32] = []
        var contactAccountLabel: String?; var contactAlias: String?; var contactHidden: Bool = false
        var contactIdentityId: Data; var contactNote: String?; var coreHeightCreatedAt: UInt32; var createdAt: Date
        var createdAtMillis: UInt64; var encryptedAccountLabel: Data?; var encryptedPublicKey: Data
        var isOutgoing: Bool; var lastUpdated: Date; var networkRaw: UInt32; var owner: PersistentIdentity
        var ownerIdentityId: Data; var paymentChannelBroken: Bool = false; var recipientKeyIndex: UInt32
        var senderKeyIndex: UInt32
      }
      @Model final class PersistentIdentity { @Relationship(inverse: \PersistentDashpayContactRequest.owner) var contactRequests: [PersistentDashpayContactRequest] }
      """#),
  ]
}
