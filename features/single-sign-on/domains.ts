import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { memberships, users } from '../../drizzle/schema.ts'
import { type SsoDomain, ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import { type Database, isUniqueViolation, type Tx } from '../../plugins/database/index.ts'
import { Invalid, Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { asAllowed, type UserActor } from '../accounts/access.ts'
import { recheckMembers, recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { domainOfEmail } from './addresses.ts'
import type { Setter } from './changes.ts'
import { recordChange } from './changes.ts'
import { domainIn, isFreeMail } from './domain-names.ts'
import { stopRequiringFirst } from './owner.ts'
import { lookUp } from './records.ts'

const maxDomains = 10

export const domainsOf = (db: Database, accountId: number) =>
  db.select().from(ssoDomains).where(eq(ssoDomains.accountId, accountId)).orderBy(asc(ssoDomains.domain))

/** The domain that was typed, as it is stored. Throws Invalid, or Refused for one that everybody has addresses at. */
export function checkDomain(typed: string) {
  const domain = domainIn(typed)
  if (!domain) throw new Invalid({ domain: [typed.trim() === '' ? text("can't be blank") : text('is invalid')] })
  if (isFreeMail(domain)) throw new Refused(text('Nobody can prove {domain}', { domain }))
  return domain
}

/** Throws Invalid if the account has it already, or Refused if it has too many. */
export const addDomain = (
  app: FastifyInstance,
  { accountId, creatorId, run, record: recordUse }: Setter,
  domain: string,
) =>
  run(async (tx) => {
    const domains = await tx.select().from(ssoDomains).where(eq(ssoDomains.accountId, accountId))
    if (domains.some((each) => each.domain === domain)) throw new Invalid({ domain: [text('has already been added')] })
    if (domains.length >= maxDomains) throw new Refused(text('You have {max} domains already', { max: maxDomains }))
    const record = randomBytes(24).toString('base64url') // 32 characters
    await tx.insert(ssoDomains).values({ accountId, domain, record, createdAt: app.now(), creatorId })
    await recordUse(tx, 'domain_added', domain)
  })

/** Throws NotFound, or Refused for the last verified one while single sign-on is required. */
export const removeDomain = (app: FastifyInstance, actor: UserActor, id: number) =>
  asAllowed(app, actor, 'sso.manage', async (tx, _role, account) => {
    const { domain, verifiedAt } = await domainById(tx, actor, id)
    const isLast = verifiedAt !== null && (await countVerified(tx, actor.accountId)) === 1
    if (isLast && account.requireSingleSignOn) throw stopRequiringFirst()
    await tx.delete(ssoDomains).where(eq(ssoDomains.id, id))
    await recordChange(app, tx, actor, 'domain_removed', { domain })
    return domain
  })

export const countVerified = (db: Database | Tx, accountId: number) =>
  db.$count(ssoDomains, and(eq(ssoDomains.accountId, accountId), isNotNull(ssoDomains.verifiedAt)))

async function domainById(db: Database | Tx, { accountId }: { accountId: number }, id: number) {
  const [row] = await db
    .select()
    .from(ssoDomains)
    .where(and(eq(ssoDomains.id, id), eq(ssoDomains.accountId, accountId)))
  if (!row) throw new NotFound()
  return row
}

const unanswered = () => new Refused(text("DNS can't be reached. Try again later"))
const isAnothers = (domain: string) => new Refused(text('{domain} belongs to another workspace', { domain }))

/**
 * Looks for the record, and makes the domain that of this account. Another account that had verified it loses it if its
 * own record is gone. Throws NotFound or Refused.
 */
export async function verifyDomain(app: FastifyInstance, setter: Setter, id: number) {
  const row = await domainById(app.db, setter, id)
  const { domain } = row
  const look = await lookUp(app, row)
  if (look.answer === 'unanswered') throw unanswered()
  if (look.answer === 'absent') {
    const missed = { missedAt: app.now(), otherValue: look.other }
    await app.db.update(ssoDomains).set(missed).where(eq(ssoDomains.id, id))
    throw new Refused(text("The record isn't there yet. It can take an hour"))
  }

  const isHeldByAnother = and(
    eq(ssoDomains.domain, domain),
    isNotNull(ssoDomains.verifiedAt),
    ne(ssoDomains.accountId, setter.accountId),
  )
  const [other] = await app.db.select().from(ssoDomains).where(isHeldByAnother)
  if (other) {
    const othersRecord = await lookUp(app, other)
    if (othersRecord.answer === 'unanswered') throw unanswered()
    if (othersRecord.answer === 'there') throw isAnothers(domain)
  }
  await holdDomain(app, setter, row, other).catch((error) => {
    throw isUniqueViolation(error) ? isAnothers(domain) : error // someone was faster
  })
  return domain
}

/**
 * Looks for the records of all that are open. Returns those that are verified now. Throws what is no answer of the DNS.
 */
export async function lookAtDomains(app: FastifyInstance, setter: Setter) {
  const open = (await domainsOf(app.db, setter.accountId)).filter(({ verifiedAt }) => verifiedAt === null)
  const looks = open.map(({ id }) =>
    verifyDomain(app, setter, id).catch((error) => {
      if (!(error instanceof Refused || error instanceof NotFound)) throw error
    }),
  )
  return (await Promise.all(looks)).filter((domain) => domain !== undefined)
}

const holdDomain = (app: FastifyInstance, setter: Setter, { id }: SsoDomain, other: SsoDomain | undefined) =>
  setter.run(
    async (tx) => {
      const { domain, verifiedAt } = await domainById(tx, setter, id)
      if (other) await releaseDomain(app, tx, other)
      const found = { lookedAt: app.now(), daysAbsent: 0, missedAt: null, otherValue: null }
      const values = { verifiedAt: verifiedAt ?? app.now(), ...found }
      await tx.update(ssoDomains).set(values).where(eq(ssoDomains.id, id))
      if (verifiedAt) return
      await endOutside(tx, setter.accountId, domain)
      await setter.record(tx, 'domain_verified', domain)
    },
    { other: other?.accountId },
  )

/** What the other account requires stays required: owners with two factors still get in, and can end it. */
async function releaseDomain(app: FastifyInstance, tx: Tx, { id, accountId, domain }: SsoDomain) {
  const isStillVerified = and(eq(ssoDomains.id, id), isNotNull(ssoDomains.verifiedAt))
  const { rowCount } = await tx.update(ssoDomains).set({ verifiedAt: null }).where(isStillVerified)
  if (rowCount === 0) return // they removed it meanwhile
  const activityId = await recordAccountActivity(tx, { accountId, userId: null }, 'domain_moved', { domain })
  await mailOwners(app, tx, 'domain_moved', { activityId }, { accountId })
}

/** From now on, members with an address at this domain can pass single sign-on. */
async function endOutside(tx: Tx, accountId: number, domain: string) {
  await tx.execute(sql`
    update ${memberships} set outside = false from ${users}
    where ${memberships.accountId} = ${accountId} and ${memberships.outside} and ${memberships.userId} = ${users.id}
      and ${domainOfEmail(users.email)} = ${domain}`)
  await recheckMembers(tx, accountId)
}
