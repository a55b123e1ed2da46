import { readdirSync, readFileSync } from 'node:fs'
import { type DefinitionNode, type DocumentNode, Kind, type ObjectTypeExtensionNode, parse } from 'graphql'

/** The definitions in the SDL files of one folder. */
function definitionsIn(folder: string): readonly DefinitionNode[] {
  const url = new URL(`schema/${folder}`, import.meta.url)
  return readdirSync(url)
    .filter((name) => name.endsWith('.graphql'))
    .flatMap((name) => parse(readFileSync(new URL(name, url), 'utf8')).definitions)
}

const isTypeExtension = (node: DefinitionNode): node is ObjectTypeExtensionNode =>
  node.kind === Kind.OBJECT_TYPE_EXTENSION

const fieldsOf = (node: DefinitionNode) =>
  isTypeExtension(node) ? (node.fields ?? []).map((field) => `${node.name.value}.${field.name.value}`) : []

/** The definition without the fields that are named as `Type.field`. */
function without(fields: ReadonlySet<string>, node: DefinitionNode): DefinitionNode {
  if (!isTypeExtension(node)) return node
  const kept = (node.fields ?? []).filter(({ name }) => !fields.has(`${node.name.value}.${name.value}`))
  return { ...node, fields: kept }
}

/** The SDL of the platform. A field of an extension takes the place of the one that it has the name of. */
export function platformDefinitions(extensions: readonly string[]): DocumentNode {
  const added = extensions.flatMap((name) => definitionsIn(`${name}/`))
  const replaced = new Set(added.flatMap(fieldsOf))
  const base = definitionsIn('').map((node) => without(replaced, node))
  return { kind: Kind.DOCUMENT, definitions: [...base, ...added] }
}
