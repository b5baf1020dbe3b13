import { use } from 'react'
import drawing from '../../brand/sign.svg?raw'
import { SiteContext } from './site.ts'

const sign = drawing.replace(/<title>.*?<\/title>/, '') // it would pop up under the mouse

export const Brand = () => (
  <span className="brand">
    <Mark />
    <span className="brand-name">{use(SiteContext).appName}</span>
  </span>
)

/** The sign. Drawn in place, since a picture of its own would not know the theme. */
export const Mark = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours
  <span className="mark" aria-hidden="true" dangerouslySetInnerHTML={{ __html: sign }} />
)
