import StoreDataModel
import Testing

@Suite struct TransformerTests {
  @Test func namesAreOfFourKinds() {
    #expect(TransformerKind(named: nil) == .keyed(nil) && TransformerKind(named: "") == .keyed(nil))
    #expect(TransformerKind(named: "NSKeyedUnarchiveFromData") == .keyed("NSKeyedUnarchiveFromData"))
    #expect(TransformerKind(named: "NSUnarchiveFromData") == .unkeyed("NSUnarchiveFromData"))
    for name in ["NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"] {
      #expect(TransformerKind(named: name) == .secure(name))
      #expect(TransformerKind(named: name).writesKeyedArchives && !TransformerKind(named: name).isInsecure)
    }
    #expect(TransformerKind(named: "ColorTransformer") == .own("ColorTransformer"))
    #expect(!TransformerKind(named: "ColorTransformer").writesKeyedArchives)
    #expect(TransformerKind(named: nil).isInsecure && TransformerKind(named: "NSUnarchiveFromData").isInsecure)
  }

  /// Core Data stores a binary value as it is, whatever transformer it names.
  @Test func onlyTransformableAttributesHaveOne() {
    #expect(Attribute(type: .binary, valueTransformerName: "RecordTransformer").transformer == nil)
    #expect(Attribute(type: .transformable, valueTransformerName: "RecordTransformer").transformer != nil)
  }

  @Test func classesAreAllowedForAllOrForOne() {
    var allowed = AllowedClasses()
    let secure = TransformerKind(named: "NSSecureUnarchiveFromData")
    let own = TransformerKind(named: "ColorTransformer")
    #expect(allowed.added(to: secure) == [] && allowed.added(to: own) == nil)
    let wereAdded = ["Signature", "ColorTransformer=UIColor,NSColor"].map { allowed.add($0) }
    #expect(wereAdded == [true, true])
    #expect(allowed.added(to: secure) == ["Signature"])
    #expect(allowed.added(to: own) == ["Signature", "UIColor", "NSColor"])
    #expect(allowed.added(to: TransformerKind(named: "OtherTransformer")) == nil)
    #expect(allowed.added(to: TransformerKind(named: nil)) == nil)
    let before = allowed
    for text in ["", "=", "A=", "=B", "A=B=C", "A,,B", "A=B,"] {
      let wasAdded = allowed.add(text)
      #expect(!wasAdded, "\(text)")
    }
    #expect(allowed == before)
  }
}
