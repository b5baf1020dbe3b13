import { Link } from '@inertiajs/react'
import type { ComponentProps } from 'react'

type Look = { look?: 'primary' | 'secondary' | 'quiet' | 'danger'; size?: 'small' | undefined }

export function Button({ look, size, type = 'button', ...rest }: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return <button type={type} className={classes({ look, size })} {...rest} />
}

export const SmallButton = (button: ComponentProps<typeof Button>) => <Button size="small" {...button} />

export function ButtonLink({ look, size, ...rest }: Look & Omit<ComponentProps<typeof Link>, 'className' | 'size'>) {
  return <Link className={classes({ look, size })} {...rest} />
}

export const classes = ({ look = 'secondary', size }: Look) => `button button-${look}${size ? ` button-${size}` : ''}`
