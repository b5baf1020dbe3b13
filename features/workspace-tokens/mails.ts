import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, type User, users } from '../../drizzle/schema.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { raw, type Text, text } from '../../plugins/languages/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'
import { changeForOwner, type MakerMailIds, makerForOwner, type OwnerMailIds } from '../accounts/owner-mails.ts'
import { workspaceTokenPaths } from './paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    /** To one of the owners, as all of these but the last. */
    workspace_token_created: OwnerMailIds
    workspace_token_revoked: OwnerMailIds
    /** `makerId` is no manager any more. */
    workspace_token_kept: MakerMailIds
    workspace_token_blocked: MakerMailIds
    /** To one of the managers. */
    workspace_token_expires: { userId: number; tokenId: number }
  }
}

const lookAtThem = text('Look at the tokens of the workspace, and revoke those that nobody needs.')

export function defineMails({ db, mail }: FastifyInstance, isOn: boolean) {
  const ofOwner = (userId: number) => and(eq(users.id, userId), eq(users.verified, true))
  const placeOf = ({ name }: Account) => nameInMail(name) ?? text('a workspace')
  const seeTokens = ({ slug }: Account) =>
    isOn && { action: { label: text('See the tokens'), url: workspaceTokenPaths.workspaceTokens(slug).url } }
  const partsOf = (user: User, account: Account, paragraph: Text) => ({
    to: user.email,
    language: user.language,
    paragraphs: [greeting(user.name), paragraph],
    ...seeTokens(account),
  })
  const tokenFact = (name: unknown) => {
    const shown = nameInMail(String(name))
    return shown ? [{ label: text('Token'), value: raw(shown) }] : []
  }

  async function changeOf(ids: OwnerMailIds) {
    const change = await changeForOwner(db, ids)
    return change && { ...change, facts: [...tokenFact(change.activity.details.token_name), change.time] }
  }

  mail.define('workspace_token_created', {
    async compose(ids) {
      const change = await changeOf(ids)
      if (!change) return undefined
      const { user, account, place, facts } = change
      const actor = change.actor ?? text('Somebody')
      const paragraph =
        change.activity.type === 'workspace_token_rolled'
          ? text('{actor} rolled a token of {place}: a new one takes its place.', { actor, place })
          : text('{actor} created a token of {place}. Programs with it act as the workspace.', { actor, place })
      return {
        ...partsOf(user, account, paragraph),
        subject: text('A token of {place} was created', { place }),
        preheader: text('Check that this is right.'),
        facts,
        advice: [text('If this is not right, ask whoever did it, and revoke the token.')],
      }
    },
  })

  mail.define('workspace_token_revoked', {
    async compose(ids) {
      const change = await changeOf(ids)
      if (!change) return undefined
      const { user, account, place, actor, facts } = change
      const paragraph = actor
        ? text('{actor} revoked a token of {place}. Programs with it have lost access.', { actor, place })
        : text(
            `A token of {place} was revoked, and programs with it have lost access: whoever made it may not have been
              the owner of their account.`,
            { place },
          )
      return {
        ...partsOf(user, account, paragraph),
        subject: text('A token of {place} was revoked', { place }),
        preheader: text('Check that this is right.'),
        facts,
        advice: [text('If a program still needs one, create a new token.')],
      }
    },
  })

  mail.define('workspace_token_kept', {
    async compose(ids) {
      const found = await makerForOwner(db, ids)
      if (!found) return undefined
      const { user, account, name, place } = found
      const paragraph = text(
        `{name} manages {place} no longer. A token that they made goes on, but invites, removes and promotes nobody
          until a manager rolls it.`,
        { name, place },
      )
      return {
        ...partsOf(user, account, paragraph),
        subject: text('A token that {name} made still works', { name }),
        preheader: lookAtThem,
        advice: [lookAtThem],
      }
    },
  })

  mail.define('workspace_token_blocked', {
    async compose(ids) {
      const found = await makerForOwner(db, ids)
      if (!found) return undefined
      const { user, account, name, place } = found
      const paragraph = text(
        '{name} is suspended, so programs with a token of {place} that they made are kept out, until a manager rolls it.',
        { name, place },
      )
      return {
        ...partsOf(user, account, paragraph),
        subject: text('A token that {name} made is blocked', { name }),
        preheader: text('Programs that use it are kept out.'),
        advice: [text('If you trust these programs, roll the token and give them the new one.')],
      }
    },
  })

  mail.define('workspace_token_expires', {
    /** Undefined if the token or the member is gone. */
    async compose({ userId, tokenId }) {
      const [found] = await db
        .select({ user: users, account: accounts, token: workspaceTokens })
        .from(workspaceTokens)
        .innerJoin(accounts, eq(accounts.id, workspaceTokens.accountId))
        .innerJoin(users, ofOwner(userId))
        .where(eq(workspaceTokens.id, tokenId))
      if (!found) return undefined
      const { user, account, token } = found
      const place = placeOf(account)
      const paragraph = text('After that, programs with this token can no longer act as {place}.', { place })
      return {
        ...partsOf(user, account, paragraph),
        subject: text('A token of {place} expires soon', { place }),
        preheader: text('Roll it before the program that uses it loses access.'),
        facts: [
          ...tokenFact(token.name),
          { label: text('Expires'), value: raw({ at: token.expiresAt, precision: 'day' }) },
        ],
        advice: [text('If you still need it, roll it: you get a new one, and the old one works for another hour.')],
      }
    },
  })
}
