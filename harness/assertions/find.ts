/** A node of a syntax tree as ESTree has it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** An assertion in the code of a module. */
export interface FoundAssertion {
  readonly kind: 'call' | 'chain' | 'throw'
  readonly start: number
  readonly end: number
  /** Where the name of what is called ends. */
  readonly calleeEnd: number
  /** The id of the requirement whose test it is in, or the name of the outermost function. */
  readonly within: string
}

const requirementId = /^(oci|auth|service|storage|graphql)(\.[a-z0-9-]+)+$/

/**
 * The assertions of a module: calls of functions that are named after what they expect (`expectTags`), chains of
 * Vitest's `expect`, findings that are thrown, and readings whose result nobody takes, since they are there for what
 * they find wrong (`projectsIn(answer)`). A step that fails is none: it says nothing of the requirement.
 */
export function findAssertions(program: Node): readonly FoundAssertion[] {
  const found: FoundAssertion[] = []
  const visit = (node: Node, parent: Node | undefined, within: string | undefined, dropped: boolean) => {
    const kind = assertionKind(node, parent, dropped)
    if (kind) {
      const { start, end } = node
      found.push({ kind, start, end, calleeEnd: part(node, 'callee')?.end ?? start, within: within ?? '' })
    }
    const inside = nameOf(node, within)
    const drops = node.type === 'ExpressionStatement' || (dropped && node.type === 'AwaitExpression')
    for (const child of childrenOf(node)) visit(child, node, inside, drops)
  }
  visit(program, undefined, undefined, false)
  return found
}

function assertionKind(
  node: Node,
  parent: Node | undefined,
  dropped: boolean,
): FoundAssertion['kind'] | undefined {
  if (node.type === 'ThrowStatement') {
    const thrown = part(node, 'argument')
    return thrown?.type === 'NewExpression' && nameIn(thrown, 'callee') === 'Finding' ? 'throw' : undefined
  }
  if (node.type !== 'CallExpression') return undefined
  const name = nameIn(node, 'callee') ?? ''
  if (/^expect[A-Z]/.test(name)) return 'call'
  if (/(Of|In)$/.test(name) && dropped) return 'call'
  // The last call of a chain does the work: `expect(tags).not.toContain(tag)`.
  return rootOf(node) === 'expect' && parent?.type !== 'MemberExpression' ? 'chain' : undefined
}

function rootOf(node: Node): string | undefined {
  const inner = part(node, node.type === 'CallExpression' ? 'callee' : 'object')
  return inner ? rootOf(inner) : text(node, 'name')
}

/** A test names all that is in it, a function what is in no test. */
function nameOf(node: Node, outer: string | undefined): string | undefined {
  if (node.type === 'CallExpression') {
    const [first] = list(node, 'arguments')
    const id = first && text(first, 'value')
    return id && requirementId.test(id) ? id : outer
  }
  const declares = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator'
  return outer ?? (declares ? nameIn(node, 'id') : undefined)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const list = (node: Node, key: string): readonly Node[] => [Reflect.get(node, key)].flat().filter(isNode)

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode)

function part(node: Node, key: string): Node | undefined {
  const value: unknown = Reflect.get(node, key)
  return isNode(value) ? value : undefined
}

function text(node: Node, key: string): string | undefined {
  const value: unknown = Reflect.get(node, key)
  return typeof value === 'string' ? value : undefined
}

function nameIn(node: Node, key: string): string | undefined {
  const named = part(node, key)
  return named && text(named, 'name')
}
