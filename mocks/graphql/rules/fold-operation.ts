import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** How the figure of an operation comes about, from its leaves up. */
export interface Measure {
  /** The figure of a field; `inner` is that of its selections, undefined for a leaf, `type` undefined for an unknown field. */
  field(node: FieldNode, type: GraphQLOutputType | undefined, inner: number | undefined): number
  /** The figure of two selections side by side. */
  join(a: number, b: number): number
}

type Parent = ReturnType<GraphQLSchema['getType'] | GraphQLSchema['getRootType']>

const fieldType = (parent: Parent, name: string) =>
  isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined

/**
 * The figure of the largest operation of a document, what is in fragments included. Each fragment is looked at once,
 * so that fragments which double at each step cost nothing; one that leads back to itself counts nothing, as validation
 * refuses it. What introspection asks for counts nothing either.
 */
export function foldDocument(document: DocumentNode, schema: GraphQLSchema, measure: Measure): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const known = new Map<string, number>()
  const typeOf = ({ name }: NamedTypeNode) => schema.getType(name.value)

  function ofFragment(name: string): number {
    const done = known.get(name)
    if (done !== undefined) return done
    known.set(name, 0)
    const fragment = fragments.get(name)
    const figure = fragment ? ofSet(fragment.selectionSet, typeOf(fragment.typeCondition)) : 0
    known.set(name, figure)
    return figure
  }

  function ofField(node: FieldNode, parent: Parent): number {
    if (node.name.value.startsWith('__')) return 0
    const type = fieldType(parent, node.name.value)
    const inner = node.selectionSet && ofSet(node.selectionSet, type && getNamedType(type))
    return measure.field(node, type, inner)
  }

  function ofSelection(node: SelectionNode, parent: Parent): number {
    if (node.kind === Kind.FIELD) return ofField(node, parent)
    if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value)
    return ofSet(node.selectionSet, node.typeCondition ? typeOf(node.typeCondition) : parent)
  }

  function ofSet({ selections }: SelectionSetNode, parent: Parent): number {
    return selections.reduce((sum, node) => measure.join(sum, ofSelection(node, parent)), 0)
  }

  const operations: OperationDefinitionNode[] = []
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
    if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node)
  }
  const figures = operations.map((node) => ofSet(node.selectionSet, schema.getRootType(node.operation)))
  return Math.max(0, ...figures)
}
