import { Image, ImagePlus } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import type { PictureActivities } from '../../features/pictures/activities.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { AccountPicture, OwnPicture } from './cards.tsx'

export const pictures: Feature<keyof PictureActivities> = {
  option: 'pictures',
  parts: { 'settings/profile': OwnPicture, 'accounts/settings': AccountPicture },
  firstSteps: {
    picture: {
      icon: ImagePlus,
      name: text('Add a picture'),
      why: text('So that others recognize you.'),
      path: () => `${paths.profile().url}#picture`,
    },
  },
  icons: {
    picture_changed: Image,
  },
  sentences: {
    picture_changed: ({ actor }, { details }) =>
      details.removed ? rich('{actor} removed the picture', { actor }) : rich('{actor} changed the picture', { actor }),
  },
}
