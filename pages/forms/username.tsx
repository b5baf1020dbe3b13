/** Tells password managers which user a form is about. Not submitted. */
export const Username = ({ of }: { of: { email: string } }) => (
  <input type="text" autoComplete="username" value={of.email} readOnly hidden />
)
