import t from 'tap'
import { type Role, roles } from '../../drizzle/schema.ts'
import { governs, may, type Right } from '../../features/accounts/rights.ts'

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

t.test('only who manages owners changes one', async (t) => {
  t.same(
    roles.map((role) => governs(role, 'owner')),
    [true, false, false],
  )
  t.same(
    roles.map((role) => governs(role, 'admin')),
    [true, true, false],
  )
})
