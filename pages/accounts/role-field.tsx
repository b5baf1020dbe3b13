import { text } from '../../plugins/languages/text.ts'
import { t } from '../words/t.ts'

const choices = [
  { role: 'member', name: text('Member'), meaning: text('Can see the workspace and its members.') },
  { role: 'admin', name: text('Admin'), meaning: text('Can also rename it, invite people and remove them.') },
]

/** The role of an invited person. Owner is not offered: an owner has to promote a member. */
export const RoleField = () => (
  <fieldset className="choices">
    <legend>{t('Role')}</legend>
    {choices.map(({ role, name, meaning }, index) => (
      <label key={role} className="check">
        <input type="radio" name="role" value={role} defaultChecked={index === 0} />
        <span>
          {t(name)}
          <span>{t(meaning)}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
