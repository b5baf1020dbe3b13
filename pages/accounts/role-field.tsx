import { invitableRoles } from '../../features/accounts/rights.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { t } from '../words/t.ts'
import { type Role, roleIn } from '../words/workspace.tsx'

const meanings: Record<Role, Text> = {
  owner: text('Full control'),
  admin: text('Can also rename it, invite people and remove them.'),
  member: text('Can see the workspace and its members.'),
}
const choices = invitableRoles.toReversed() // the least powerful is the default

/** The role of an invited person, or of a program. Owner is not offered: an owner has to promote a member. */
export const RoleField = () => (
  <fieldset className="choices">
    <legend>{t('Role')}</legend>
    {choices.map((role, index) => (
      <label key={role} className="check">
        <input type="radio" name="role" value={role} defaultChecked={index === 0} />
        <span>
          {roleIn(role)}
          <span>{t(meanings[role])}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
