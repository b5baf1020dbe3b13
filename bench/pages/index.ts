import { startApplication, startCeiling } from '../lib/processes.ts'
import type { Row } from '../lib/table.ts'
import { type Person, signUp } from '../lib/visitor.ts'
import { benchAccountPages } from './account-pages.ts'
import { benchActivity } from './activity.ts'
import { benchBundle } from './bundle.ts'
import { benchMembers } from './members.ts'
import { benchOneConnection } from './one-connection.ts'
import { benchSignIn } from './sign-in.ts'
import { benchSignInPage } from './sign-in-page.ts'
import { benchSignUp } from './sign-up.ts'

type Urls = { application: string; ceiling: string; database: string }
type Part = (urls: Urls, person: Person) => Promise<Row[]>

/** One process of the application beside one with bare routes. */
const beside = (parts: Part[]) => async (databaseUrl: string) => {
  const application = await startApplication(databaseUrl)
  try {
    const person = await signUp(application.url)
    const ceiling = await startCeiling(databaseUrl)
    try {
      const urls = { application: application.url, ceiling: ceiling.url, database: databaseUrl }
      const rows: Row[] = []
      for (const part of parts) rows.push(...(await part(urls, person)))
      return rows
    } finally {
      await ceiling.stop()
    }
  } finally {
    await application.stop()
  }
}

const oneConnection: Part = ({ application, ceiling }, person) => benchOneConnection(application, ceiling, person)
const signIn: Part = ({ application, ceiling }, person) => benchSignIn(application, ceiling, person)

/** Pages and forms. */
export const benchPages = beside([
  ({ application, ceiling }, person) => benchAccountPages(application, ceiling, person),
  oneConnection,
  ({ application, ceiling }) => benchSignInPage(application, ceiling),
  signIn,
  ({ application, ceiling }) => benchSignUp(application, ceiling),
  ({ application, database }, person) => benchMembers(application, database, person),
  ({ application, database }, person) => benchActivity(application, database, person),
  ({ application }) => benchBundle(application),
])

export const benchOnlyOneConnection = beside([oneConnection])
export const benchOnlySignIn = beside([signIn])
