import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

const kept = 200

export type Letters = ReturnType<typeof openLetters>

/** Mails as files, so that processes and restarts share them. File names start with the time of arrival. */
export function openLetters(folder: string) {
  const newestFirst = async () => {
    const names = await readdir(folder).catch(() => [])
    return names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()
  }
  const read = async (name: string) => {
    const id = name.replace(/\.eml$/, '')
    return {
      id,
      came: new Date(Number(id.split('-')[0])),
      ...(await PostalMime.parse(await readFile(join(folder, name)))),
    }
  }
  // another process may have deleted a listed file
  const remove = (names: string[]) => Promise.all(names.map((name) => rm(join(folder, name), { force: true })))

  return {
    async keep(source: Buffer) {
      await mkdir(folder, { recursive: true })
      const name = `${Date.now()}-${randomBytes(4).toString('hex')}.eml`
      await writeFile(join(folder, `${name}.part`), source)
      await rename(join(folder, `${name}.part`), join(folder, name))
      await remove((await newestFirst()).slice(kept))
    },
    async all() {
      const letters = (await newestFirst()).map((name) => read(name).catch(() => undefined))
      return (await Promise.all(letters)).filter((letter) => letter !== undefined)
    },
    one: (id: string) => read(`${id}.eml`).catch(() => undefined),
    deleteAll: async () => remove(await newestFirst()),
  }
}
