import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { guestFeatures } from '../guest-features.ts'
import { useOn } from '../parts/on.ts'
import type { GuestPage, Way, WayProps } from '../places.ts'
import { t } from '../words/t.ts'

/** The ways besides a password that options offer on this page. */
export const useWays = (page: GuestPage) => useOn(guestFeatures).flatMap(({ ways }) => ways(page))

type Props = Omit<WayProps, 'way'> & { of: Way[] }

export const Ways = ({ of, ...context }: Props) => of.map((way) => <way.Button key={way.id} way={way} {...context} />)

/** Those to sign up with, too. They stand in a row, those with a mark by it. */
export const WaysInSight = (ways: Props) => (
  <div className="ways">
    <Ways {...ways} />
  </div>
)

export const Or = () => <p className="or">{t('or')}</p>

type LastProps = { focuses?: boolean; children: ReactNode }

/** Around the way that was used last. Whoever typed before the script was there keeps the focus. */
export function LastUsed({ focuses = false, children }: LastProps) {
  const group = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (focuses && !document.querySelector('main :focus'))
      group.current?.querySelector<HTMLElement>('.button')?.focus({ preventScroll: true })
  }, [focuses])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of the form's
    <div ref={group} className="last-used" role="group" aria-label={t('Last used')}>
      {children}
      <span className="badge" aria-hidden="true">
        {t('Last used')}
      </span>
    </div>
  )
}
