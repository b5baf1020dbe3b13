import { ValidatesAhead } from './form.tsx'
import { PasswordField } from './password-field.tsx'

/** Proof that it is still the same person. Never validated ahead: that would be a guess, and guesses are counted. */
export const CurrentPasswordField = () => (
  <ValidatesAhead value={false}>
    <PasswordField name="password_challenge" label="Current password" autoComplete="current-password" />
  </ValidatesAhead>
)
