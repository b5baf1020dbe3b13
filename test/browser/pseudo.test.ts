import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { childEnvironment } from '../helpers/children.ts'
import { cloneProject } from '../helpers/clone.ts'
import { pseudoLanguage } from '../helpers/pseudo.ts'
import { skip } from './chromium.ts'

const run = promisify(execFile)
// All of them take minutes: `npm run pseudo`.
const states =
  process.env.PSEUDO === 'whole' ? '.' : '^(sign-in|sign-up-errors|overview|members|security-on|404|mail-reset)$'

t.test(
  'pages, states, errors and mails say nothing untranslated, and longer words fit on a phone',
  { skip },
  async (t) => {
    const clone = await cloneProject(t)
    await clone.write('languages/xx.ts', pseudoLanguage())
    await rm(`${clone.folder}/build`) // a link to the project's own
    const script = ['development/screenshots/run.ts', '--language', 'xx', '--check', states]
    const walk = run(process.execPath, script, {
      cwd: clone.folder,
      env: { ...childEnvironment(), TMPDIR: process.env.TMPDIR ?? '/tmp' },
      maxBuffer: 2 ** 26,
    })
    const { stdout, stderr } = await walk.catch((error: { stdout: string; stderr: string }) => error)
    t.equal(stderr, '')
    const lines = stdout.split('\n').filter(Boolean)
    t.ok(lines.length >= 7, `${lines.length} states`)
    t.same(
      lines.filter((line) => line.includes(':')),
      [],
    )
  },
)
