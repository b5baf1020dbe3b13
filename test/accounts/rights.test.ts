import t from 'tap'
import { accounts, invitations, memberships, type Role, roles } from '../../drizzle/schema.ts'
import { may, type Right } from '../../features/accounts/rights.ts'
import { challenge, invite, sharedAcme } from '../helpers/people.ts'

const rightsOf: Record<Role, Right[]> = {
  owner: ['workspace.delete', 'owners.manage', 'requirements.manage', 'activity.export'],
  admin: ['workspace.rename', 'members.invite', 'members.manage', 'activity.read'],
  member: ['workspace.read', 'members.read'],
}

t.test('a role has its rights and those of the roles below it, and an unknown role has none', async (t) => {
  for (const [rank, role] of roles.entries())
    for (const [otherRank, other] of roles.entries())
      for (const right of rightsOf[other]) t.equal(may(role, right), rank <= otherRank, `${role}: ${right}`)
  for (const right of Object.values(rightsOf).flat()) t.notOk(may('auditor' as Role, right), right)
})

t.test('every form beside those of a member denies who has no right to it, and changes nothing', async (t) => {
  const { app, db, owner, join } = await sharedAcme(t)
  const [admin, member, other] = [await join('admin'), await join('member'), await join('member')]
  const { id } = await invite(app, owner, '/acme', 'invited@example.com')
  const invitation = `/acme/invitations/${id}`
  const ofManagers = [
    ['POST', '/acme/invitations', { email: 'new@example.com', role: 'member' }],
    ['POST', '/acme/invitations/resend', {}],
    ['POST', `${invitation}/resend`, {}],
    ['DELETE', invitation, {}],
    ['PATCH', '/acme/settings', { name: 'Mine' }],
  ] as const
  const ofOwners = [
    ['POST', `/acme/members/${other.membershipId}/ownership`, challenge],
    ['DELETE', '/acme', challenge],
  ] as const
  const everything = () => Promise.all([accounts, memberships, invitations].map((table) => db.select().from(table)))
  const before = await everything()
  for (const [{ browser }, forms] of [
    [member, [...ofManagers, ...ofOwners]],
    [admin, ofOwners],
  ] as const)
    for (const [method, url, body] of forms) {
      const { flash } = await browser.submit(method, url, body)
      t.same(flash, { alert: "You don't have permission to do that" }, `${method} ${url}`)
    }
  t.same(await everything(), before)
})
