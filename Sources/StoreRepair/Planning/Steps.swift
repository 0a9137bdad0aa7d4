/// One step of planning: a repair, and the function that decides on the store as the steps before left it.
struct RepairStep {
  let repair: Repair
  let decide: (Workbench) throws -> Decision

  init(_ repair: Repair, _ decide: @escaping (Workbench) throws -> Decision) {
    self.repair = repair
    self.decide = decide
  }
}

extension Recipe {
  /// The steps that the recipe asks for, in the order of ``Repair``; those of values and links in that of ``items``.
  var steps: [RepairStep] {
    let others = (restoreSteps + structureSteps + relationshipSteps + fileSteps).sorted {
      $0.repair.place < $1.repair.place
    }
    let before = others.prefix { $0.repair.place < Repair.backfill.place }
    return before + valueSteps + others.dropFirst(before.count)
  }

  private var restoreSteps: [RepairStep] {
    restore.map { item in RepairStep(.restore) { try $0.restore(item) } }
      + merge.map { item in RepairStep(.merge) { try $0.merge(item) } }
  }

  private var fileSteps: [RepairStep] {
    (trimHistory.map { trim in [RepairStep(.trimHistory) { try $0.trimHistory(trim) }] } ?? [])
      + (compact ? [RepairStep(.compact) { try $0.compact() }] : [])
  }

  private var structureSteps: [RepairStep] {
    // The whole of a repair includes its safe part.
    var wanted = structure.contains(.orderKeys) ? structure.subtracting([.repeatedOrderKeys]) : structure
    // Members of a list that come from two stores can have one place in it.
    if !merge.isEmpty, !wanted.contains(.orderKeys) { wanted.insert(.repeatedOrderKeys) }
    return Structure.allCases.filter(wanted.contains).map { structure in
      switch structure {
      case .reindex: RepairStep(.reindex) { try $0.reindex() }
      case .joinOrphans: RepairStep(.joinOrphans) { try $0.joinOrphans() }
      case .selfLinkMirrors: RepairStep(.selfLinkMirrors) { try $0.selfLinkMirrors() }
      case .companions: RepairStep(.companions) { try $0.companions() }
      case .repeatedOrderKeys: RepairStep(.orderKeys) { try $0.orderKeys(leavesMissing: true) }
      case .orderKeys: RepairStep(.orderKeys) { try $0.orderKeys(leavesMissing: false) }
      case .highWater: RepairStep(.highWater) { try $0.highWater() }
      case .uniqueIndexes: RepairStep(.uniqueIndexes) { try $0.uniqueIndexes() }
      case .entityNames: RepairStep(.entityNames) { $0.entityNames() }
      case .externalFiles: RepairStep(.externalFiles) { try $0.externalFiles() }
      case .metadata: RepairStep(.metadata) { $0.metadata() }
      }
    }
  }

  private var relationshipSteps: [RepairStep] {
    var steps: [RepairStep] = []
    switch dangling {
    case .nullify?: steps.append(RepairStep(.dangling) { try $0.nullifyDangling(leavesRequired: false) })
    case .nullifyOptional?: steps.append(RepairStep(.dangling) { try $0.nullifyDangling(leavesRequired: true) })
    case .deleteSource?: steps.append(RepairStep(.dangling) { try $0.deleteDanglingSources() })
    case .restoreFromHistory?: steps.append(RepairStep(.restoreFromHistory) { try $0.restoreFromHistory() })
    case nil: break
    }
    switch wrongEntity {
    case .nullify?: steps.append(RepairStep(.wrongEntity) { try $0.nullifyWrongEntity() })
    case nil: break
    }
    return steps + inverses.map { item in RepairStep(.inverses) { try $0.inverses(item) } }
  }

  private var valueSteps: [RepairStep] {
    items.map { item in
      switch item {
      case .junction(let item): RepairStep(.junctions) { try $0.junctions(item) }
      case .backfill(let item): RepairStep(.backfill) { try $0.backfill(item) }
      case .relink(let item): RepairStep(.relink) { try $0.relink(item) }
      case .dedupe(let item): RepairStep(.dedupe) { try $0.dedupe(item) }
      }
    }
  }
}
