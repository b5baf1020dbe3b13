import { Image } from 'lucide-react'
import type { PictureActivities } from '../../features/pictures/activities.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { AccountPicture, OwnPicture } from './cards.tsx'

export const pictures: Feature<keyof PictureActivities> = {
  option: 'pictures',
  parts: { 'settings/profile': OwnPicture, 'accounts/settings': AccountPicture },
  icons: {
    picture_changed: Image,
  },
  sentences: {
    picture_changed: ({ actor }, { details }) =>
      details.removed ? rich('{actor} removed the picture', { actor }) : rich('{actor} changed the picture', { actor }),
  },
}
