import type { PageProps } from '../../plugins/inertia/pages.ts'

/** What an option adds to the summary of security settings. */
export type Protection = {
  /** How many ways in it is. */
  ways?: number
  isSecondFactor?: boolean
  /** Codes that are left for when the second factor is lost. */
  sparesLeft?: number | undefined
  facts?: { isFine: boolean; text: string }[]
  /** What is missing, given all of them. */
  gaps?(all: Protections): (Gap | false)[]
}

export type Protections = {
  ways: number
  hasPassword: boolean
  hasSecondFactor: boolean
  sparesLeft: number | undefined
}

/** The lowest rank hurts first: being locked out, then somebody else getting in. */
export type Gap = { rank: number; text: string }

export type Protect = (props: PageProps<'settings/security'>) => Protection
