export type Mail = {
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** The same for all tries of a mail, so that a service that is asked twice can send it once. */
  messageId: string
}

/** Whatever it rejects with, message and code may be logged: they must quote neither the mail nor a password. */
export type Transport = {
  outcome: 'delivered' | 'dropped'
  /** What to log of the recipient. Kept minimal, since logs outlive people's data. */
  recipient(address: string): object
  /** Adds the header `auto-submitted: auto-generated`, so that nobody's absence note answers. */
  send(mail: Mail): Promise<unknown>
  /** Asks whether we may send, without sending anything. */
  verify(): Promise<unknown>
  close(): Promise<void>
}

/** `config.mail` without the sender. */
export type MailSettings = {
  host?: string | undefined
  port: number
  user?: string | undefined
  password?: string | undefined
}
