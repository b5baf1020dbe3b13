import { Link } from '@inertiajs/react'
import type { SignInQuery } from '../../features/auth/props.ts'
import { type Path, paths } from '../../features/paths.ts'
import { EmailField } from '../forms/email-field.tsx'
import type { FieldProps } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'

type Props = { title: string; lead: string; to: Path; context: SignInQuery } & Pick<FieldProps, 'sentences'>

/** The page of a way to sign in that begins with the address. */
export const AddressFirst = ({ title, lead, to, context, sentences }: Props) => (
  <>
    <Heading title={title}>{lead}</Heading>
    <Form to={to} data={context}>
      <EmailField autoComplete="username" autoFocus sentences={sentences} />
      <Submit>{t('Continue')}</Submit>
    </Form>
    <p className="auth-other">
      <Link href={paths.signInPage(context.invitation, context.return_to).url}>{t('Sign in another way')}</Link>
    </p>
  </>
)
