import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { paths } from '../paths.ts'
import { type Change, defineOwnerMails, type OwnerMailIds, type OwnerWords } from './owner-mails.ts'
import type { Person } from './props.ts'
import { mintInvitation } from './received-invitations.ts'
import { neededIn } from './requirements.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    account_invitation: { invitationId: number }
    /** To one of the owners. The activity says who made whom an owner. */
    owner_added: OwnerMailIds
    /** The same of somebody who is no owner any more, to them, too. */
    owner_removed: OwnerMailIds
  }
}

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  app.mail.define('account_invitation', {
    async compose({ invitationId }, { id }) {
      const minted = await mintInvitation(app, invitationId, id)
      if (!minted) return undefined
      const { account, person, invitation, language, token } = minted
      // A program with a token of the account invites in its name.
      const inviter = nameInMail(minted.inviterName ?? account.name) ?? text('Somebody')
      const { name, place } = namesOf(account, person)
      return {
        to: invitation.email,
        language,
        subject: text('{inviter} invited you to {place} on {appName}', {
          inviter,
          place: name, // as in the contract
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
        ],
        facts: neededIn(app, account).map((value) => ({ label: text('You need'), value })),
        action: { label: text('See the invitation'), url: paths.invitation(token).url },
        footnotes: [
          text('The invitation expires on {day}.', { day: { at: invitation.expiresAt, precision: 'day' } }),
          text("If you don't know what this is about, you can ignore this email."),
        ],
      }
    },
  })

  defineOwnerMails(app, {
    changes: {
      owner_added: aboutOwner(({ name, actor, accountName, place }) => ({
        subject: text('{name} is now an owner of {place}', { name, place: accountName }),
        paragraph: text('{actor} made {name} an owner of {place}.', { actor, name, place }),
        secondParagraph: text('Owners have full control: members and their roles, settings, deletion.'),
      })),
      owner_removed: aboutOwner(({ name, actor, accountName, place }) => ({
        subject: text('{name} is no longer an owner of {place}', { name, place: accountName }),
        paragraph: text('{actor} took the ownership of {place} from {name}.', { actor, name, place }),
      })),
    },
  })
}

type Names = ReturnType<typeof namesIn>

/** No mail if the user whom it is about is gone. Who is no member any more can't see the members. */
const aboutOwner = (words: (names: Names) => Omit<OwnerWords, 'preheader'>) => (change: Change) =>
  change.userName === null
    ? undefined
    : {
        ...words(namesIn(change)),
        preheader: text('If this is not right, an owner can change the role again.'),
        advice: [text("If it was done in your name and it wasn't you, choose a new password right away.")],
        ...(change.isMember && {
          action: { label: text('See the members'), url: paths.members(change.account.slug).url },
        }),
      }

function namesIn({ account, person, name, actor }: Change) {
  const { name: accountName, place } = namesOf(account, person)
  return { accountName, place, name, actor: actor ?? text('Somebody') }
}

/** What mails call a workspace: by its own name, and that of another person as theirs. */
function namesOf(account: { name: string }, person: Person) {
  const name = nameInMail(account.name)
  if (!name) return { name: text('a workspace'), place: text('a workspace') }
  return { name, place: person ? text('{name}’s workspace', { name }) : name }
}

const articles = { owner: text('an owner'), admin: text('an admin'), member: text('a member') }
