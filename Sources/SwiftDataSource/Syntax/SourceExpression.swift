/// An expression, as far as declarations of models and plans need it; others only have a span.
package struct SourceExpression: Sendable, Equatable {
  package var kind: Kind
  package var span: SourceSpan

  package indirect enum Kind: Sendable, Equatable {
    /// With an optional minus sign; nil where it does not fit.
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
    case dictionary([Pair])
    /// `\Note.tags`: the type, if it is written, and the components.
    case keyPath(TypeName?, [String])
    /// The callee of `[String]()`: a type that is not an expression by itself.
    case type(TypeName)
    /// The operands of `a + b + c`, with `+` only.
    case sum([SourceExpression])
    /// The operands of `60 * 60` and `a + 2 / b`, with any of `+ - * / %`, at least one of them not `+`.
    case arithmetic([SourceExpression])
    /// `a ?? b`, also of more than two.
    case fallback([SourceExpression])
    /// `x!`, and the `x?` of `x?.name`
    case forced(SourceExpression)
    /// `x as T`
    case cast(SourceExpression, TypeName)
    /// A closure; its code is parsed again when needed: ``NameTable/code(_:as:in:)``.
    case closure
    /// The possible values of a body with an undecided `#if`, after its condition.
    case alternatives(String, [SourceExpression])
    /// The possible values of `a ? b : c`: `b` and `c`; more in a row of them.
    case choice([SourceExpression])
    /// A string with interpolations, or with an invalid escape.
    case interpolation
    case other
  }

  /// A key of a dictionary and its value.
  package struct Pair: Sendable, Equatable {
    package var key: SourceExpression
    package var value: SourceExpression
  }
}

/// An argument of a call or an attribute.
package struct SourceArgument: Sendable, Equatable {
  package var label: String?
  package var value: SourceExpression
  package var span: SourceSpan
}

extension SourceExpression {
  /// The names `["SchemaV1", "Note"]` of `SchemaV1.Note`; nil for anything but a path of plain names.
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

  /// The last name of `.unique` or `Schema.Attribute.Option.unique`.
  package var memberName: String? {
    if case .member(_, let component) = kind { component.name } else { nil }
  }

  /// Callee and arguments of a call, without `try` and the like.
  package var call: (callee: SourceExpression, arguments: [SourceArgument])? {
    if case .call(let callee, let arguments) = kind { (callee, arguments) } else { nil }
  }

  package var stringValue: String? { if case .string(let text) = kind { text } else { nil } }
  package var integerValue: Int64? { if case .integer(let value) = kind { value } else { nil } }
  package var isNil: Bool { if case .null = kind { true } else { false } }
}
