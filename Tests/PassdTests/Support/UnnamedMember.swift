// Finds members that the schema of a result does not name, such as misspelt optional members.

import PassJSON
import PassProtocol

extension Schema {
    /// The path of the first such member.
    func unnamedMember(in value: JSONValue) -> String? {
        switch self {
        case .object(let known):
            for member in value.object?.members ?? [] {
                guard let schema = known.first(where: { $0.name == member.name })?.schema else { return member.name }
                if let path = schema.unnamedMember(in: member.value) { return "\(member.name).\(path)" }
            }
            return nil
        case .array(let item): return value.array?.lazy.compactMap { item.unnamedMember(in: $0) }.first
        case .map(let item): return value.object?.members.lazy.compactMap { item.unnamedMember(in: $0.value) }.first
        case .nullable(let schema): return value.isNull ? nil : schema.unnamedMember(in: value)
        case .oneOf(let schemas):
            return schemas.first { (try? $0.check(value)) != nil }?.unnamedMember(in: value)
        case .component(let component): return component.schema.unnamedMember(in: value)
        case .any, .null, .boolean, .number, .integer, .string, .enumeration: return nil
        }
    }
}
