import { picturesPaths } from '../../features/pictures/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { t } from '../words/t.ts'
import { PictureCard } from './picture-card.tsx'

export function OwnPicture({ auth: { user }, picture }: PageProps<'settings/profile'>) {
  if (!user) return null
  return (
    <PictureCard
      round
      of={user.id}
      name={user.name}
      picture={picture}
      alt={t('Your picture')}
      change={picturesPaths.changePicture()}
      remove={picturesPaths.removePicture()}
    >
      {t('Helps others recognize you.')}
    </PictureCard>
  )
}

export function AccountPicture({ account, can_manage }: PageProps<'accounts/settings'>) {
  if (!can_manage) return null
  return (
    <PictureCard
      of={account.name}
      name={account.name}
      picture={account.picture}
      alt={t('Picture of {name}', { name: account.name })}
      change={picturesPaths.changeAccountPicture(account.slug)}
      remove={picturesPaths.removeAccountPicture(account.slug)}
    >
      {t('Shown next to the name everywhere.')}
    </PictureCard>
  )
}
