import { ValidatesAhead } from './form.tsx'
import { PasswordField } from './password-field.tsx'

/** Confirms the person's identity. Never validated ahead, since each validation would count as a guess. */
export const CurrentPasswordField = () => (
  <ValidatesAhead value={false}>
    <PasswordField name="password_challenge" label="Current password" autoComplete="current-password" />
  </ValidatesAhead>
)
