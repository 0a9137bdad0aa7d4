import StoreSourceChecks

extension LintCheck {
  static let unusedPlan = LintCheck(.unusedPlan) { subject, say in
    for plan in subject.unused.plans {
      say.add(at: plan.plan.place, message: "no container is made with \(plan.plan.name)")
    }
  }
}
