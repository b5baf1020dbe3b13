import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { paths } from '../paths.ts'
import { mintInvitation } from './received-invitations.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    account_invitation: { invitationId: number }
  }
}

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  app.mail.define('account_invitation', {
    async compose({ invitationId }, { id }) {
      const minted = await mintInvitation(app, invitationId, id)
      if (!minted) return undefined
      const { account, person, invitation, language, token } = minted
      const inviter = nameInMail(minted.inviterName ?? '') ?? text('Somebody')
      const name = nameInMail(account.name)
      const place = name ? (person ? text('{name}’s workspace', { name }) : name) : text('a workspace')
      return {
        to: invitation.email,
        language,
        subject: text('{inviter} invited you to {place} on {appName}', {
          inviter,
          place: name ?? place, // by its own name, as in the contract
          appName,
        }),
        preheader: text('You can accept or decline until {day}.', {
          day: { at: invitation.expiresAt, precision: 'day' },
        }),
        heading: text('Join {place}', { place }),
        paragraphs: [
          text('{inviter} invited you to {place} on {appName} as {role}.', {
            inviter,
            place,
            appName,
            role: articles[invitation.role],
          }),
          ...(account.requireSecondFactor ? [needsFactor] : []),
        ],
        action: { label: text('See the invitation'), url: paths.invitation(token).url },
        footnotes: [
          text('The invitation expires on {day}.', { day: { at: invitation.expiresAt, precision: 'day' } }),
          text("If you don't know what this is about, you can ignore this email."),
        ],
      }
    },
  })
}

const needsFactor = text(
  'It requires two-factor authentication: a code from an app, or a passkey. You set one up when you join.',
)
const articles = { owner: text('an owner'), admin: text('an admin'), member: text('a member') }
