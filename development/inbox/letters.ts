import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

const maxLetters = 200

export type Letters = ReturnType<typeof openLetters>
export type Letter = Awaited<ReturnType<Letters['all']>>[number]

/** Mails as files, so that processes and restarts share them. File names start with the time of arrival. */
export function openLetters(folder: string) {
  const newestFirst = async () => (await readdir(folder).catch(() => [])).toSorted().toReversed()
  async function read(name: string) {
    const mail = await PostalMime.parse(await readFile(join(folder, name)))
    return { ...mail, id: name.replace(/\.eml$/, ''), arrivedAt: new Date(Number.parseInt(name, 10)) }
  }
  // Another process may have removed a listed file.
  const readIfExists = (name: string) => read(name).catch(() => undefined)

  return {
    async keep(source: Buffer) {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `${Date.now()}-${randomBytes(4).toString('hex')}.eml`), source)
      for (const name of (await newestFirst()).slice(maxLetters)) await rm(join(folder, name), { force: true })
    },
    all: async () => (await Promise.all((await newestFirst()).map(readIfExists))).filter((each) => each !== undefined),
    one: (id: string) => readIfExists(`${id}.eml`),
  }
}
