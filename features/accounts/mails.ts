import type { FastifyInstance } from 'fastify'
import { paths } from '../paths.ts'
import { mintInvitation } from './invitations.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    account_invitation: { invitationId: number }
  }
}

type Options = { origin: string; appName: string }

export function defineMails(app: FastifyInstance, { origin, appName }: Options) {
  app.mail.define('account_invitation', {
    async compose({ invitationId }) {
      const minted = await mintInvitation(app, invitationId)
      if (!minted) return undefined
      const { account, invitation, token } = minted
      const inviter = minted.inviterName ?? 'Somebody'
      return {
        to: invitation.email,
        subject: `${inviter} invited you to ${account.name} on ${appName}`,
        heading: `Join ${account.name}`,
        paragraphs: [`${inviter} invited you to ${account.name} on ${appName} as ${articles[invitation.role]}.`],
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
