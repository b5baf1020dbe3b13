import { LifeBuoy, ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react'
import type { SecondFactorActivities } from '../../features/second-factor/activities.ts'
import { stepWords } from '../../features/second-factor/words.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich, t } from '../words/t.ts'
import { AfterRecovery } from './after-recovery.tsx'
import { CodeLead, CodeStep, WithoutApp } from './code-step.tsx'
import { protectByApp } from './protection.ts'
import { RequiredBy } from './required-by.tsx'
import { Requirement } from './requirement.tsx'
import { AppSecurity } from './security.tsx'

export const secondFactor: Feature<keyof SecondFactorActivities> = {
  option: 'second-factor',
  methods: { second: stepWords },
  parts: {
    'accounts/show': AfterRecovery,
    'accounts/settings:rules': Requirement,
    'auth/second-factor:lead': CodeLead,
    'auth/second-factor': CodeStep,
    'auth/second-factor:other': WithoutApp,
    'settings/security:first': RequiredBy,
    'settings/security': AppSecurity,
  },
  protection: protectByApp,
  mails: {
    second_factor_enabled: text('Two-factor authentication is on'),
    second_factor_disabled: text('Two-factor authentication is off'),
    second_factor_locked: text('Somebody knows your password'),
    recovery_code_used: text('A recovery code was used'),
  },
  icons: {
    second_factor_enabled: ShieldCheck,
    second_factor_disabled: ShieldOff,
    recovery_codes_made: LifeBuoy,
    recovery_code_used: LifeBuoy,
    second_factor_locked: ShieldAlert,
    browser_trusted: ShieldCheck,
    trusted_browsers_forgotten: ShieldOff,
  },
  sentences: {
    second_factor_enabled: ({ actor }) => rich('{actor} turned on two-factor authentication', { actor }),
    second_factor_disabled: ({ actor }) => rich('{actor} turned off two-factor authentication', { actor }),
    recovery_codes_made: ({ actor }) => rich('{actor} created new recovery codes', { actor }),
    recovery_code_used: ({ actor }) => rich('{actor} used a recovery code', { actor }),
    second_factor_locked: () => t('Someone who knows the password entered ten wrong codes'),
    browser_trusted: ({ actor }) => rich('{actor} trusted a browser', { actor }),
    trusted_browsers_forgotten: ({ actor }) => rich('{actor} ended the trust in all browsers', { actor }),
  },
}
