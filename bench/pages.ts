import { benchAccountPages } from './account-pages.ts'
import { benchActivity } from './activity.ts'
import { benchBundle } from './bundle.ts'
import { benchMembers } from './members.ts'
import { startApplication, startCeiling } from './processes.ts'
import { benchSignIn } from './sign-in.ts'
import { benchSignInPage } from './sign-in-page.ts'
import { benchSignUp } from './sign-up.ts'
import type { Row } from './table.ts'
import { signUp } from './visitor.ts'

/** Pages and forms, in one process beside one with bare routes. */
export async function benchPages(databaseUrl: string): Promise<Row[]> {
  const application = await startApplication(databaseUrl)
  try {
    const person = await signUp(application.url)
    const ceiling = await startCeiling(databaseUrl)
    try {
      return [
        ...(await benchAccountPages(application.url, ceiling.url, person)),
        ...(await benchSignInPage(application.url, ceiling.url)),
        ...(await benchSignIn(application.url, ceiling.url, person)),
        ...(await benchSignUp(application.url, ceiling.url)),
        ...(await benchMembers(application.url, databaseUrl, person)),
        ...(await benchActivity(application.url, databaseUrl, person)),
        ...(await benchBundle(application.url)),
      ]
    } finally {
      await ceiling.stop()
    }
  } finally {
    await application.stop()
  }
}
