const choices = [
  { role: 'member', name: 'Member', meaning: 'Sees the workspace and who belongs to it.' },
  { role: 'admin', name: 'Admin', meaning: 'Also renames it, invites people and removes them.' },
]

/** The role of an invited person. Owner is not offered: an owner has to promote a member. */
export const RoleField = () => (
  <fieldset className="choices">
    <legend>Role</legend>
    {choices.map(({ role, name, meaning }, index) => (
      <label key={role}>
        <input type="radio" name="role" value={role} defaultChecked={index === 0} />
        <span>
          {name}
          <span>{meaning}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
