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
  /// The steps that the recipe asks for, in the order of ``Repair``.
  var steps: [RepairStep] {
    let steps = structureSteps + relationshipSteps + valueSteps
    let order = Dictionary(uniqueKeysWithValues: Repair.allCases.enumerated().map { ($1, $0) })
    return steps.enumerated().sorted {
      (order[$0.element.repair] ?? 0, $0.offset) < (order[$1.element.repair] ?? 0, $1.offset)
    }.map(\.element)
  }

  private var structureSteps: [RepairStep] {
    // The whole of a repair includes its safe part.
    let wanted = structure.contains(.orderKeys) ? structure.subtracting([.repeatedOrderKeys]) : structure
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
    backfill.map { item in RepairStep(.backfill) { try $0.backfill(item) } }
      + relink.map { item in RepairStep(.relink) { try $0.relink(item) } }
      + dedupe.map { item in RepairStep(.dedupe) { try $0.dedupe(item) } }
      + junctions.map { item in RepairStep(.junctions) { try $0.junctions(item) } }
  }
}
