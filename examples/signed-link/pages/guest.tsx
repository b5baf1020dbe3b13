import { router, useFormContext } from '@inertiajs/react'
import type { GuestFeature } from '../../../pages/feature.ts'
import type { WayProps } from '../../../pages/places.ts'
import { Button } from '../../../pages/shared/button.tsx'
import { t } from '../../../pages/words/t.ts'
import { linkPaths } from '../paths.ts'

export const signedLink: GuestFeature = {
  option: 'signed-link',
  ways: () => [{ id: 'signed_link', Button: LinkButton }],
}

/** Takes the address along that was typed into the form around it. */
function LinkButton({ invitation, returnTo }: WayProps) {
  const form = useFormContext()
  const send = () => {
    const { email } = form?.getData() ?? {}
    if (!email) return form?.setError({ email: [t("can't be blank")] })
    router.post(linkPaths.requestLink().url, { email: String(email), invitation, return_to: returnTo })
  }
  return <Button onClick={send}>{t('Email me a link')}</Button>
}
