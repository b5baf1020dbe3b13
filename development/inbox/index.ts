import { createHmac } from 'node:crypto'
import { startCatcher } from './catcher.ts'
import { openLetters } from './letters.ts'
import { inboxPages } from './pages.ts'

/** Stores all mail of this process in a folder and shows it at /dev/inbox. */
export async function startInbox(folder: string, secret: string) {
  const letters = openLetters(folder)
  const { host, port, stop } = await startCatcher(letters.keep)
  return { server: { host, port }, pages: inboxPages(letters, tokenFrom(secret)), stop }
}

// The same in every process and after each restart, so that pages which are still open keep working.
const tokenFrom = (secret: string) => createHmac('sha256', secret).update('inbox').digest('base64url')
