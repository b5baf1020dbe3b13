import { Type } from 'typebox'

const Field = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const ProfileBody = Type.Object({ name: Field })
export const EmailBody = Type.Object({ email: Field, password_challenge: Field })
export const PasswordBody = Type.Object({ password: Field, password_confirmation: Field, password_challenge: Field })
export const DeletionBody = Type.Object({ password_challenge: Field })
