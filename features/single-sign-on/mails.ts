import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { defineOwnerMails, type OwnerMailIds } from '../accounts/owner-mails.ts'
import { defineNotice, type NoticeIds, reviewSessions } from '../auth/notices.ts'
import { paths } from '../paths.ts'
import { singleSignOnPaths } from './paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    sso_disconnected: NoticeIds
    sso_connected: NoticeIds
    /** To one of the owners who had verified the domain. */
    domain_moved: OwnerMailIds
    domain_lost: OwnerMailIds
    /** To one of the other owners. With `undoneBy`, it was the undo of this user's change of their address. */
    sso_changed: OwnerMailIds & { undoneBy?: number }
  }
}

const advice = [text("If this wasn't you, someone else was signed in as you. End all other sessions.")]
const reviewSecurity = { label: text('Review your security settings'), url: paths.security().url }

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  const workspaceOf = (name: unknown) => nameInMail(String(name)) ?? text('a workspace')
  const rest = { advice, action: reviewSecurity, secondaryAction: reviewSessions }
  defineNotice(app, 'sso_connected', ({ details }) => ({
    ...rest,
    subject: text('Single sign-on was connected'),
    preheader: text('Check that it was you who connected it.'),
    paragraphs: [
      text('From now on, the single sign-on of {place} signs you in to {appName}.', {
        place: workspaceOf(details.account_name),
        appName,
      }),
    ],
  }))
  defineNotice(app, 'sso_disconnected', ({ details }) => ({
    ...rest,
    subject: text('Single sign-on was disconnected'),
    preheader: text('Check that it was you who disconnected it.'),
    paragraphs: [
      text('The single sign-on of {place} no longer signs you in to {appName}.', {
        place: workspaceOf(details.account_name),
        appName,
      }),
    ],
  }))

  const added = [text('If the domain is still yours, add the record again and verify it.')]
  defineOwnerMails(app, {
    changes: {
      domain_moved({ activity, place }) {
        const domain = String(activity.details.domain)
        return {
          subject: text('{domain} is no longer yours', { domain }),
          preheader: text('Another workspace has proved that the domain belongs to it.'),
          paragraph: text(
            `The record that proved {domain} for {place} is gone, and another workspace has proved the domain. People
              with an address there can't use your single sign-on any more.`,
            { domain, place },
          ),
          advice: added,
        }
      },
      domain_lost({ activity, place }) {
        const domain = String(activity.details.domain)
        return {
          subject: text('{domain} is no longer verified', { domain }),
          preheader: text('The record that proves the domain is gone.'),
          paragraph: text(
            `We looked for the record that proves {domain} for {place} on three days in a row, and it was not there.
              People with an address there can't use your single sign-on any more.`,
            { domain, place },
          ),
          advice: added,
        }
      },
      async sso_changed({ activity, place }, { undoneBy }) {
        const about = { ...activity, place, domain: String(activity.details.domain), did: activity.details.did }
        return {
          ...(undoneBy === undefined ? { paragraph: changeInWords(about) } : await undoInWords(place, undoneBy)),
          subject: text('Single sign-on of {place} was changed', { place }),
          advice: [text('If this is not right, ask whoever did it, and see who owns the workspace.')],
        }
      },
    },
    action: (slug) => ({ label: text('See single sign-on'), url: singleSignOnPaths.accountSingleSignOn(slug).url }),
  })

  async function undoInWords(place: Text | string, userId: number) {
    const [user] = await app.db.select({ name: users.name }).from(users).where(eq(users.id, userId))
    const name = nameInMail(user?.name ?? '') ?? text('Somebody')
    return {
      paragraph: text(
        `{name} took back a former email address. The domains and the provider that were added to {place} in their name
          since then are removed: it may have been somebody else.`,
        { name, place },
      ),
      secondParagraph: text('What others set up stays, and so does the requirement.'),
    }
  }
}

type Change = { type: string; actorName: string | null; place: Text | string; domain: string; did: unknown }

function changeInWords({ type, actorName, place, domain, did }: Change) {
  const actor = nameInMail(actorName ?? '') ?? text('Somebody')
  if (type === 'sso_setup_link_used') {
    if (did === 'domain_added') return text('Whoever has the setup link of {place} added {domain}.', { place, domain })
    if (did === 'domain_verified')
      return text('Whoever has the setup link of {place} verified {domain}.', { place, domain })
    return text('Whoever has the setup link of {place} changed its provider.', { place })
  }
  if (type === 'sso_setup_link_made')
    return text('{actor} made a link with which a colleague sets up the single sign-on of {place}.', { actor, place })
  if (type === 'sso_setup_link_withdrawn') return text('{actor} withdrew the setup link of {place}.', { actor, place })
  if (type === 'domain_verified') return text('{actor} verified {domain} for {place}.', { actor, domain, place })
  if (type === 'domain_removed') return text('{actor} removed {domain} from {place}.', { actor, domain, place })
  if (type === 'sso_saved') return text('{actor} changed the provider of {place}.', { actor, place })
  if (type === 'sso_removed') return text('{actor} removed the provider of {place}.', { actor, place })
  if (type === 'sso_required') return text('{actor} requires single sign-on in {place} now.', { actor, place })
  return text('{actor} no longer requires single sign-on in {place}.', { actor, place })
}
