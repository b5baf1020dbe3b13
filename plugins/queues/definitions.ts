/** What a feature defines by this name. Throws if no feature of this version defines it. Another version may. */
export function definitionOf<Definition>(definitions: Map<string, Definition>, kind: 'job' | 'mail', name: string) {
  const definition = definitions.get(name)
  if (definition) return definition
  const code = `UNKNOWN_${kind.toUpperCase()}`
  throw Object.assign(new Error(`no feature defines the ${kind} ${name}`), { code })
}
