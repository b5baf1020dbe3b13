import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { childEnvironment } from './helpers/children.ts'

const thrown = `import t from 'tap'
t.test('first', async () => {})
t.test('second', async (t) => {
  await t.test('inner', async () => {
    setTimeout(() => Promise.reject(new Error('late')))
    await new Promise(() => {})
  })
})
t.test('third', async () => {})`

t.test('what nobody catches fails the test that it happens in, and no other', async (t) => {
  const parameters = ['--import=./test/preload.ts', '--input-type=module', '--eval', thrown]
  const child = spawn(process.execPath, parameters, { env: childEnvironment() })
  t.teardown(() => child.kill())
  const said = await text(child.stdout)
  t.same(said.match(/^(not )?ok .*(?= #)/gm), ['ok 1 - first', 'not ok 2 - second', 'ok 3 - third'])
  t.match(said, /^ {8}not ok 1 - late$.*^ {4}not ok 1 - inner/ms)
})
