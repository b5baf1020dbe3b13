import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, users } from '../../drizzle/schema.ts'
import { workspaceTokens } from '../../drizzle/tables/workspace-tokens.ts'
import { text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import { type Change, defineOwnerMails, type MakerMailIds, type OwnerMailIds } from '../accounts/owner-mails.ts'
import { expiryMail, tokenFact } from '../api/tokens/expiry.ts'
import { workspaceTokenPaths } from './paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    /** To one of the owners, as all of these but the last. */
    workspace_token_created: OwnerMailIds
    workspace_token_revoked: OwnerMailIds
    /** Whoever made it is no manager any more. */
    workspace_token_kept: MakerMailIds
    workspace_token_blocked: MakerMailIds
    /** To one of the managers. */
    workspace_token_expires: { userId: number; tokenId: number }
  }
}

const lookAtThem = text('Look at the tokens of the workspace, and revoke those that nobody needs.')

const partsOf = ({ actor, place }: Change) => ({ actor: actor ?? text('Somebody'), place })
const factsOf = ({ activity }: Change) => tokenFact(activity.details.token_name)

const changes = {
  workspace_token_created: (change: Change) => ({
    subject: text('A token of {place} was created', { place: change.place }),
    paragraph:
      change.activity.type === 'workspace_token_rolled'
        ? text('{actor} rolled a token of {place}: a new one takes its place.', partsOf(change))
        : text('{actor} created a token of {place}. Programs with it act as the workspace.', partsOf(change)),
    facts: factsOf(change),
    advice: [text('If this is not right, ask whoever did it, and revoke the token.')],
  }),
  workspace_token_revoked: (change: Change) => ({
    subject: text('A token of {place} was revoked', { place: change.place }),
    paragraph: change.actor
      ? text('{actor} revoked a token of {place}. Programs with it have lost access.', partsOf(change))
      : text(
          `A token of {place} was revoked, and programs with it have lost access: whoever made it may not have been
              the owner of their account.`,
          { place: change.place },
        ),
    facts: factsOf(change),
    advice: [text('If a program still needs one, create a new token.')],
  }),
  workspace_token_kept: ({ name, place }: Change) => ({
    subject: text('A token that {name} made still works', { name }),
    preheader: lookAtThem,
    paragraph: text(
      `{name} manages {place} no longer. A token that they made goes on, but invites, removes and promotes nobody
          until a manager rolls it.`,
      { name, place },
    ),
    advice: [lookAtThem],
  }),
  workspace_token_blocked: ({ name, place }: Change) => ({
    subject: text('A token that {name} made is blocked', { name }),
    preheader: text('Programs that use it are kept out.'),
    paragraph: text(
      '{name} is suspended, so programs with a token of {place} that they made are kept out, until a manager rolls it.',
      { name, place },
    ),
    advice: [text('If you trust these programs, roll the token and give them the new one.')],
  }),
}

export function defineMails(app: FastifyInstance, isOn: boolean) {
  const action = (slug: string) =>
    isOn ? { label: text('See the tokens'), url: workspaceTokenPaths.workspaceTokens(slug).url } : undefined

  defineOwnerMails(app, { changes, action })

  app.mail.define('workspace_token_expires', {
    /** Undefined if the token or the member is gone. */
    async compose({ userId, tokenId }) {
      const [found] = await app.db
        .select({ user: users, account: accounts, token: workspaceTokens })
        .from(workspaceTokens)
        .innerJoin(accounts, eq(accounts.id, workspaceTokens.accountId))
        .innerJoin(users, and(eq(users.id, userId), eq(users.verified, true)))
        .where(eq(workspaceTokens.id, tokenId))
      if (!found) return undefined
      const place = nameInMail(found.account.name) ?? text('a workspace')
      return expiryMail({
        ...found,
        subject: text('A token of {place} expires soon', { place }),
        loss: text('After that, programs with this token can no longer act as {place}.', { place }),
        action: action(found.account.slug),
      })
    },
  })
}
