import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../development/graph/modules.ts'

/** Words that have another one here, with that one, and where they are refused unless it is everywhere. */
const refused: Record<string, { say: string; in?: RegExp }> = {
  ability: { say: 'right' },
  author: { say: 'actor' },
  caller: { say: 'apiClient', in: /^(app|features\/(api|auth))/ }, // elsewhere it is code that calls a function
  holder: { say: 'user' },
  judge: { say: 'decide' },
  manager: { say: 'list', in: /^(plugins|server)\// }, // elsewhere it is who manages a workspace
  mistake: { say: 'validation error' },
  newcomer: { say: 'user' },
  organization: { say: 'account' },
  people: { say: 'users', in: /^(server|commands)\// },
  permission: { say: 'right' },
  person: { say: 'user', in: /^(server|commands)\// },
  reader: { say: 'currentUser, or client', in: /^features\// }, // elsewhere it is who reads a text, or a stream
  redeem: { say: 'reauthenticate' },
  registry: { say: 'list' },
  spent: { say: 'consumed' },
  stranger: { say: 'guest', in: /^(app|commands|drizzle|server)/ }, // elsewhere also who attacks somebody
  unproved: { say: 'replaceable' },
  viewer: { say: 'currentUser' },
  visitor: { say: 'guest, or client' },
}

/** The one that is right in a file, and why. */
const exceptions: Record<string, Record<string, string>> = {
  'server/metrics.ts': { registry: "prom-client's word" },
  'plugins/metrics.ts': { registry: "prom-client's word" },
  'plugins/openid/client.ts': { organization: "Google's word for a company with its domain" },
  'plugins/inertia/ssr.ts': { spent: 'time is' },
}

const files = globSync(['*.ts', '{commands,development,drizzle,features,pages,plugins,server}/**/*.{ts,tsx}'], {
  cwd: root,
})

t.test('code and comments have one word for each thing', async (t) => {
  t.ok(files.length > 300)
  for (const file of files) {
    const words = wordsIn(readFileSync(join(root, file), 'utf8'))
    const found = Object.entries(refused).filter(
      ([word, { in: where }]) => words.has(word) && where?.test(file) !== false,
    )
    const wrong = found.filter(([word]) => !exceptions[file]?.[word])
    t.same(
      wrong.map(([word, { say }]) => `${word}: say ${say}`),
      [],
      file,
    )
  }
})

/** The words of names and comments, in the singular. Strings are texts for people, or on the wire. */
function wordsIn(source: string) {
  const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line)
  const lines = source
    .split('\n')
    .map((line) => (isComment(line) ? line : line.replace(/(['"])(?:\\.|(?!\1).)*\1/g, '')))
  const words = lines
    .join('\n')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .match(/[A-Za-z]+/g)
  return new Set(words?.flatMap((word) => [word.toLowerCase(), word.toLowerCase().replace(/(e?s|d)$/, '')]))
}
