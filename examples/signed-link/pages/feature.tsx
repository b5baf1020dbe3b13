import { Link } from 'lucide-react'
import type { Feature } from '../../../pages/feature.ts'
import { rich } from '../../../pages/words/t.ts'
import type { SignedLinkActivities } from '../activities.ts'
import { linkWords } from '../words.ts'

export const signedLink: Feature<keyof SignedLinkActivities> = {
  methods: { first: { signed_link: linkWords } },
  icons: { sign_in_link_used: Link },
  sentences: { sign_in_link_used: ({ actor }) => rich('{actor} used a link by mail', { actor }) },
}
