import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { childEnvironment } from '../helpers/children.ts'
import { cloneProject } from '../helpers/clone.ts'
import { prepareServer } from '../helpers/test-server.ts'

t.test('a feature with a compound name compiles with the printed lines, passes its tests and goes again', async (t) => {
  const { folder, read, write, git } = await cloneProject(t)
  await rm(join(folder, 'build')) // a link: its own pages are built into its own folder
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Start')
  await git('update-ref', 'refs/remotes/upstream/main', 'HEAD')
  const server = await prepareServer()
  t.teardown(server.stop)
  const env = { ...childEnvironment(), TAP_TIMEOUT: '600', DATABASE_URL: server.url }
  const run = async (...[command = '', ...args]: string[]) => {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(`node_modules/.bin/${command}`, args, options).catch((error) => {
      throw new Error(`${command} ${args.join(' ')} failed: ${error.stdout}${error.stderr}`)
    })
    return stdout
  }
  const files = (pattern: string) => globSync(pattern, { cwd: folder })

  const places: [RegExp, string][] = [
    [/^await /, '  await app.register(liveUpdates)'],
    [/^\w+,$/, 'features: Feature[] = ['],
    [/^\.\.\./, 'words: {'],
  ]
  const advice = await run('node', 'development/feature.ts', 'time-entries')
  t.notMatch(await read('features/time-entries/time-entries.ts'), /project/i)
  t.match(await read('docs/time-entries.md'), /^# Time entries$.* time entries with a client/ms)
  for (const file of files('languages/*/time-entries.ts')) t.match(await read(file), "'New time entry':")

  for (const [, file = '', lines = ''] of advice.matchAll(/^([\w/.-]+)\n((?: {2}.*\n)+)/gm)) {
    const advised = lines.split('\n').map((line) => line.trim().replace(/ {2}\/\/.*/, ''))
    const imported = advised.filter((line) => /^(import|export) /.test(line))
    const source = await read(file)
    let added = source
    for (const line of advised.filter((line) => line && !imported.includes(line))) {
      const place = places.find(([pattern]) => pattern.test(line))?.[1] ?? ''
      t.ok(added.includes(place), `${file} has ${place}`)
      added = added.replace(place, () => `${place}\n${line}`)
    }
    await write(file, `${imported.join('\n')}\n${added}`)
  }
  await run('biome', 'check', '--write', 'app.ts', 'drizzle/schema.ts', 'languages', 'pages/features.ts')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Add time entries')
  await run('node', 'development/without/run.ts', 'time-entries', '--tables')
  await git('add', '--all')
  t.equal((await git('diff', '--cached', 'upstream/main')).stdout, '', 'nothing of it is left')

  await git('reset', '--quiet', '--hard')
  await run('node', 'development/generate.ts', '--name', 'time_entries')
  await run('tsc', '--checkers', '1')
  await run('tsc', '-p', 'pages', '--checkers', '1')
  await run('knip')
  // Tests of ours that know all routes, operations, texts and folders must not fail because of it.
  const ours = [
    'test/{architecture,endpoints,glossary,paths,read-only}.test.ts',
    'test/*/operations.test.ts',
    'test/{accounts/members,languages/words}.test.ts',
  ]
  const tests = ['test/time-entries/*.test.ts', ...ours].flatMap(files)
  t.ok(tests.length > 8)
  // In one process, as `test/run.ts` runs a folder.
  const imports = tests.map((file) => `import('../${file}')`).join(', ')
  await write('test/all.test.ts', `import t from 'tap'\nt.test('all files', () => Promise.all([${imports}]))\n`)
  t.match(await run('node', '--import=./test/preload.ts', 'test/all.test.ts'), /^# time/m)

  const manifest = JSON.parse(await read('package.json'))
  await write('package.json', JSON.stringify({ ...manifest, without: ['invoices', 'webhooks'] }))
  await run('node', 'development/feature.ts', 'invoices')
  t.same(JSON.parse(await read('package.json')).without, ['webhooks'], 'one that was taken out before is back')
  for (const file of files('{features,test}/invoices/*.ts')) t.notMatch(await read(file), /\ba invoice/i, file)
})

t.test('a name that is taken is one line', async (t) => {
  const run = promisify(execFile)
  for (const [name, line] of [
    ['accounts', 'features/accounts exists: choose another name'],
    ['counters', 'drizzle/tables/counters.ts exists: choose another name'],
    ['cases', 'case is a word of JavaScript'],
    ['projects', 'examples/projects exists: choose another name'],
    ['members', 'A page /members exists: choose another name'],
    ['Invoices', /^Usage: /],
  ] as const)
    await t.rejects(run('node', ['development/feature.ts', name]), { code: 1, stderr: line })
})
