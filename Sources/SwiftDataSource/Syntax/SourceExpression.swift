/// An expression as far as declarations of models and plans need it; of the rest, where it stands.
package struct SourceExpression: Sendable {
  package var kind: Kind
  package var span: SourceSpan

  package indirect enum Kind: Sendable {
    /// Also with a minus sign; nil where it does not fit.
    case integer(Int64?)
    case real(Double?)
    /// A literal without interpolation.
    case string(String)
    case boolean(Bool)
    case null
    /// `Note`, `Array<String>`
    case name(TypeName.Component)
    /// `base.name`; `.name` without a base.
    case member(SourceExpression?, TypeName.Component)
    case call(SourceExpression, [SourceArgument])
    case array([SourceExpression])
    /// `[:]` has no pairs.
    case dictionary([(SourceExpression, SourceExpression)])
    /// `\Note.tags`: the type, if it is written, and the components.
    case keyPath(TypeName?, [String])
    /// `[String]()`: what is called is a type that is no expression by itself.
    case type(TypeName)
    /// `a + b + c`, operands only; all operators are `+`.
    case sum([SourceExpression])
    /// `x!`
    case forced(SourceExpression)
    /// `x as T`
    case cast(SourceExpression, TypeName)
    /// Its code is read from the file again by whoever wants it: ``NameTable/code(_:as:in:)``.
    case closure
    /// What a body gives where an `#if` that nobody decided stands in it: the condition, and each value it may be.
    case alternatives(String, [SourceExpression])
    /// A text with interpolations, or one that no text can have.
    case interpolation
    case other
  }
}

/// An argument of a call or an attribute.
package struct SourceArgument: Sendable {
  package var label: String?
  package var value: SourceExpression
  package var span: SourceSpan
}

extension SourceExpression {
  /// `["SchemaV1", "Note"]` of `SchemaV1.Note`; nil for what is no path of plain names.
  package var pathNames: [String]? {
    switch kind {
    case .name(let component): component.arguments.isEmpty ? [component.name] : nil
    case .member(let base?, let component):
      component.arguments.isEmpty ? base.pathNames.map { $0 + [component.name] } : nil
    case .type(let type): type.pathNames
    default: nil
    }
  }

  /// The type in `SchemaV1.Note.self`.
  package var selfType: TypeName? {
    guard case .member(let base?, let component) = kind, component.name == "self" else { return nil }
    return base.typeName
  }

  /// A name or path read as a type.
  package var typeName: TypeName? {
    switch kind {
    case .name(let component): return .named([component])
    case .type(let type): return type
    case .member(let base?, let component):
      guard case .named(let components)? = base.typeName else { return nil }
      return .named(components + [component])
    default: return nil
    }
  }

  /// The name behind the point of `.unique` or `Schema.Attribute.Option.unique`.
  package var memberName: String? {
    if case .member(_, let component) = kind { component.name } else { nil }
  }

  /// Callee and arguments of a call, `try` and the like left out.
  package var call: (callee: SourceExpression, arguments: [SourceArgument])? {
    if case .call(let callee, let arguments) = kind { (callee, arguments) } else { nil }
  }

  package var stringValue: String? { if case .string(let text) = kind { text } else { nil } }
  package var integerValue: Int64? { if case .integer(let value) = kind { value } else { nil } }
  package var isNil: Bool { if case .null = kind { true } else { false } }
}
