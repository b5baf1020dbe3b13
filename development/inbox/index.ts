import { startCatcher } from './catcher.ts'
import { openLetters } from './letters.ts'
import { inboxPages } from './pages.ts'

/** Stores all mail of this process in a folder and shows it at /dev/inbox. */
export async function startInbox(folder: string) {
  const letters = openLetters(folder)
  const { host, port, stop } = await startCatcher(letters.keep)
  return { server: { host, port }, pages: inboxPages(letters), stop }
}
