import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { kinds } from '../../features/providers/kinds.ts'
import { loadConfig } from '../../server/config.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

for (const [id, kind] of Object.entries(kinds)) {
  t.test(`${id} is one entry: settings, documents and buttons follow from it`, async (t) => {
    const { prefix, settings, required = [], configure } = kind
    const names = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`, ...Object.keys(settings)]
    const rows = readFileSync(`${root}docs/providers.md`, 'utf8').split('\n')
    const row = rows.find((line) => line.endsWith(`| \`${id}\` |`)) ?? ''
    const undocumented = names.filter((name) => !row.includes(`\`${name}\``))
    t.same(undocumented, [], 'docs/providers.md')
    const example = readFileSync(`${root}.env.example`, 'utf8')
    const withoutExample = names.filter((name) => !example.includes(`# ${name}=`))
    t.same(withoutExample, [], '.env.example')
    t.equal(existsSync(`${root}pages/providers/marks/${id}.svg`), id !== 'oidc', 'pages/providers/marks')

    const client = { [`${prefix}_CLIENT_ID`]: 'id', [`${prefix}_CLIENT_SECRET`]: 'secret' }
    const others = Object.fromEntries(required.map((name) => [name, 'https://login.example.com']))
    const { providers } = loadConfig({ ...client, ...others })
    t.match(providers, [{ id, ...configure(others), clientId: 'id', clientSecret: 'secret' }])
    t.throws(() => loadConfig({ [`${prefix}_CLIENT_ID`]: 'id' }), { message: `${prefix}_CLIENT_SECRET must ` })
  })
}
