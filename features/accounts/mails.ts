import type { FastifyInstance } from 'fastify'
import { nameInMail } from '../../plugins/mail/names.ts'
import { paths } from '../paths.ts'
import { aWeek, mintInvitation } from './invitations.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    account_invitation: { invitationId: number }
  }
}

type Options = { origin: string; appName: string }

export function defineMails(app: FastifyInstance, { origin, appName }: Options) {
  app.mail.define('account_invitation', {
    importance: 'bulk',
    lifetime: aWeek,
    async compose({ invitationId }, { id }) {
      const minted = await mintInvitation(app, invitationId, id)
      if (!minted) return undefined
      const { account, invitation, token } = minted
      const inviter = nameInMail(minted.inviterName ?? '') ?? 'Somebody'
      const place = nameInMail(account.name) ?? 'a workspace'
      return {
        to: invitation.email,
        subject: `${inviter} invited you to ${place} on ${appName}`,
        heading: `Join ${place}`,
        paragraphs: [`${inviter} invited you to ${place} on ${appName} as ${articles[invitation.role]}.`],
        action: { label: 'See the invitation', url: origin + paths.invitation(token).url },
        footnotes: [
          `The invitation expires on ${longDate.format(invitation.expiresAt)}.`,
          'You do not know what this is about? Then you can ignore this mail.',
        ],
      }
    },
  })
}

const articles = { owner: 'an owner', admin: 'an admin', member: 'a member' }
const longDate = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
