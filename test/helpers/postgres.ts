import { access, chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { startPostgres } from '../../development/postgres.ts'
import { addressOf, migrateAll } from './address.ts'

/** A migrated database on a Postgres of this test alone, which may be restarted without asking anybody. */
export async function startOwnPostgres(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755) // for the user that Postgres runs as, when we are root
  const start = async (settings: Record<string, string> = {}) => {
    const { url, stop } = await startPostgres({ folder, settings })
    t.teardown(stop)
    return { url, stop }
  }
  let running = await start()
  const { url } = running
  await migrateAll(addressOf(url))
  const startAgain = async () => {
    running = await start({ port: new URL(url).port })
  }

  return {
    url,
    /** As an update does it: everybody is sent away. */
    async restart() {
      await running.stop()
      await startAgain()
    },
    /** As an accident does it: nothing is put in order before, and what was written last is recovered afterwards. */
    async crash() {
      const record = join(folder, 'data/postmaster.pid')
      const [pid] = (await readFile(record, 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      while (
        await access(record).then(
          () => true,
          () => false,
        )
      )
        await sleep(10)
      await startAgain()
    },
  }
}
