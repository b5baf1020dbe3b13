import { use } from 'react'
import drawing from '../../brand/sign.svg?raw'
import { SiteContext } from './site.ts'

const sign = drawing.replace(/<title>.*?<\/title>/, '') // it would pop up under the mouse

export const Brand = () => (
  <span className="brand">
    <Mark />
    <span>{use(SiteContext).appName}</span>
  </span>
)

/** The sign. Drawn in place, since a picture of its own would not know the theme. */
export const Mark = () => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours
  <span className="mark" aria-hidden="true" dangerouslySetInnerHTML={{ __html: sign }} />
)

/** One of several that stand in each other, in a drawing of 560 by 640. */
export const archOf = (radius: number) =>
  `M${280 - radius} 640V${210 + radius / 4}a${radius} ${radius} 0 0 1 ${2 * radius} 0V640`

const radii = [280, 236, 192, 148, 104, 60]

export function Arches() {
  return (
    <svg className="arches" viewBox="0 0 560 640" preserveAspectRatio="xMidYMax meet" aria-hidden="true">
      {radii.map((radius) => (
        <path key={radius} d={archOf(radius)} />
      ))}
    </svg>
  )
}
