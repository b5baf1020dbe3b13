import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FirstStep } from '../features/accounts/props.ts'
import type { ActivityProps } from '../features/activity/props.ts'
import type { MethodWords } from '../features/auth/methods.ts'
import type { Provider } from '../features/auth/props.ts'
import type { Path } from '../features/paths.ts'
import type { Flash } from '../plugins/inertia/pages.ts'
import type { Text } from '../plugins/languages/text.ts'
import type { Mails } from '../plugins/mail/index.ts'
import type { GuestPage, PartsOf, Places, Way, WorkspaceTab } from './places.ts'
import type { Protect } from './settings/protection.ts'

type Type = ActivityProps['type']
type Of<T extends Type> = Extract<ActivityProps, { type: T }>

/** Who did it, to whom, and in which account, in the reader's perspective. */
export type Perspective = {
  actor: ReactNode
  /** Whom it was done to. */
  other: ReactNode
  /** Whether the actor did it to themself, someone else to the reader, or to someone else. */
  whose: 'own' | 'yours' | 'theirs'
  /** Undefined if the page is about that account. */
  account: ReactNode | undefined
  providers: Provider[]
}

/** A sentence for each of these activities. A type that is missing does not compile. */
export type Sentences<T extends Type> = { [Each in T]: (perspective: Perspective, activity: Of<Each>) => ReactNode }

export type Feature<T extends Type = never> = {
  /** The option that it is a part of, which may be off. Features of the product have none. */
  option?: string
  /** Of a workspace. */
  tab?: WorkspaceTab
  /** Of a person's settings. Its path lies below /settings. */
  settingsTab?: { name: Text; path: Path }
  sentences: Sentences<T>
  icons: Record<T, LucideIcon>
  parts?: PartsOf<Places>
  /** What else is said once a member of this name was removed. */
  afterRemoval?(flash: Flash, name: string): string | undefined
  firstSteps?: { [Step in FirstStep]?: FirstStepLook }
  /** How sessions began with what it adds. */
  methods?: Partial<MethodWords>
  /** What its mails are about, for operators: their subjects, where these name nobody. */
  mails?: { [Name in keyof Mails]?: Text }
  /** In the summary of security settings. */
  protection?: Protect
}

/** What somebody who is new should do, why, and where. */
export type FirstStepLook = { icon: LucideIcon; name: Text; why: Text; path(slug: string): string }

/** What an option shows to guests. */
export type GuestFeature = {
  option: string
  /** On the page to sign in or up, in their order. */
  ways(page: GuestPage): Way[]
}
