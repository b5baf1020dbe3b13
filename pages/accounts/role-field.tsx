const choices = [
  { role: 'member', name: 'Member', meaning: 'Sees the account and who belongs to it.' },
  { role: 'admin', name: 'Admin', meaning: 'Also renames it, invites people and removes them.' },
]

/** What the invited person will be. Nobody is invited to be an owner: that takes an owner who knows them. */
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
