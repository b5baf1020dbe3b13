import { processorTime } from '../lib/children.ts'
import { median, throughput } from '../lib/load.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { type Person, signUp } from '../lib/visitor.ts'

type Application = Awaited<ReturnType<typeof startApplication>>

const rounds = 6

/** CPU time that request logging adds to an HTML page, for one page with queries and one without. */
export async function benchLog(databaseUrl: string): Promise<Row[]> {
  const talking = await startApplication(databaseUrl)
  const silent = await startApplication(databaseUrl, { LOG_LEVEL: 'warn' })
  const person = await signUp(talking.url, 'log@example.com')
  const row = async (what: string, path: string, headers: Record<string, string>) => {
    const percent = (await median(await added(talking, silent, path, headers))) * 100
    return limitRow(`a request's log line, of ${what}`, percent, { unit: '%', target: 8, digits: 1 })
  }
  const rows = [
    await row('GET /{slug}', `/${person.slug}`, headersOf(person)),
    await row('GET /sign_in', '/sign_in', { accept: 'text/html' }),
  ]
  await Promise.all([talking.stop(), silent.stop()])
  return rows
}

const headersOf = ({ cookie }: Person) => ({ cookie, accept: 'text/html' })

/** Alternating, so that neither always goes first. */
async function added(talking: Application, silent: Application, path: string, headers: Record<string, string>) {
  const cost = async ({ url, pid }: Application) => {
    const before = await processorTime(pid)
    const rate = await throughput({ url: url + path, headers, status: 200 })
    return ((await processorTime(pid)) - before) / rate
  }
  await cost(talking)
  await cost(silent)
  const shares: number[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [talking, silent] : [silent, talking]
    const costs = new Map<Application, number>()
    for (const application of order) costs.set(application, await cost(application))
    shares.push((costs.get(talking) ?? 0) / (costs.get(silent) ?? 1) - 1)
  }
  return shares
}
