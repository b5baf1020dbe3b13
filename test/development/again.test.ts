import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readModules } from '../../development/graph/modules.ts'
import { everyFile, isTable, readOptions } from '../../development/without/options.ts'
import { cloneProject } from '../helpers/clone.ts'

t.test('an option that is out goes anew in a merge, and its table a release later', async (t) => {
  const options = readOptions(readModules(), everyFile())
  const option = options.find(
    ({ name, files }) => files.some(isTable) && !options.some(({ needs }) => needs.includes(name)),
  )
  if (!option) return t.comment('every option is out')
  const { name } = option
  const { folder, write, read, git } = await cloneProject(t)
  const without = (...parameters: string[]) =>
    promisify(execFile)('node', ['development/without/run.ts', ...parameters], { cwd: folder })
  const commit = async (message: string) => {
    await git('add', '--all')
    await git('commit', '--quiet', '--message', message)
  }
  await commit('Start')
  await without(name)
  t.notOk(existsSync(join(folder, 'features', name)), 'nor is an empty folder left')
  await commit('Take it out')

  await git('checkout', 'HEAD~1', 'app.ts')
  t.match(await read('app.ts'), `features/${name}/`)
  const app = await read('app.ts')
  await write('app.ts', `<<<<<<< HEAD\n=======\n${app}>>>>>>> upstream/main\n`)
  const refused = { code: 1, stdout: '', stderr: 'Conflict markers are left in app.ts\n' }
  await t.rejects(without('--again'), refused)
  await write('app.ts', app)
  await without('--again')
  await git('add', '--all')
  t.equal((await git('diff', '--cached', 'HEAD')).stdout, '', 'resolved by theirs')

  const table = `drizzle/tables/${name}.ts`
  t.match(await read(table), /pgTable/)
  await without(name, '--tables')
  await t.rejects(read(table), { code: 'ENOENT' })
  t.notMatch(await read('drizzle/schema.ts'), name)
  await t.rejects(without('users', '--tables'), { code: 1, stderr: /There is no option users/ })
})
