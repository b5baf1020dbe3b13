/** Tells password managers whose password a form is about; it is not sent. */
export const Username = ({ of }: { of: { email: string } }) => (
  <input type="text" autoComplete="username" value={of.email} readOnly hidden />
)
