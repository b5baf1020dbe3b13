// What a migration changes and what it only refers to, read from its text. It may see too much, which only means that
// a person is asked, but it must not miss a table.

const name = String.raw`(?:if\s+(?:not\s+)?exists\s+|only\s+|concurrently\s+|name\s+)*(?:"?\w+"?\.)?"?(\w+)"?`
const kinds = 'table|view|index|sequence|type|schema|function|procedure|trigger|extension|domain|policy'
const changing = new RegExp(String.raw`\b(?:${kinds}|into|update|from|on|to)\s+${name}`, 'gi')
const referring = new RegExp(String.raw`\b(?:references|join|using|call)\s+${name}`, 'gi')
const builtAtRunTime = /\bexecute\s+(?!function|procedure)/i

// `on delete cascade`, `on update no action`, `on conflict do nothing`
const words = new Set('delete update conflict no set cascade restrict do column'.split(' '))

/** Objects that one of two migrations changes, and that the other one changes or refers to. */
export function inConflict(one: string[], other: string[]) {
  const [left, right] = [touchedBy(one), touchedBy(other)]
  if (left.isUnknown || right.isUnknown) return ['what an EXECUTE names']
  return [
    ...[...left.changed].filter((object) => right.changed.has(object) || right.referred.has(object)),
    ...[...right.changed].filter((object) => left.referred.has(object)),
  ]
}

function touchedBy(statements: string[]) {
  const text = statements.join(';\n').replace(/--.*$/gm, '')
  return {
    changed: namesIn(text, changing),
    referred: namesIn(text, referring),
    isUnknown: builtAtRunTime.test(text),
  }
}

const namesIn = (text: string, pattern: RegExp) =>
  new Set(
    Array.from(text.matchAll(pattern), ([, found = '']) => found.toLowerCase()).filter((found) => !words.has(found)),
  )
