import { Globe, KeyRound, Link2, Link2Off, ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react'
import '../../features/single-sign-on/rights.ts'
import type { SingleSignOnActivities } from '../../features/single-sign-on/activities.ts'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import { singleSignOnWords } from '../../features/single-sign-on/words.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich, t } from '../words/t.ts'
import { SingleSignOn } from './connected-sso.tsx'
import { partsForOperators } from './with-operators.tsx'

export const singleSignOn: Feature<keyof SingleSignOnActivities> = {
  option: 'single-sign-on',
  methods: { first: { sso: singleSignOnWords } },
  tab: {
    name: text('Single sign-on'),
    path: singleSignOnPaths.accountSingleSignOn,
    right: 'sso.manage',
    shared: true,
    besideSettings: true,
  },
  parts: {
    'settings/security': SingleSignOn,
    'accounts/members:member': ({ outside }) => outside && <span className="badge">{t('Without single sign-on')}</span>,
    ...partsForOperators,
  },
  protection: ({ sso = [] }) => ({ ways: sso.length }),
  mails: {
    sso_connected: text('Single sign-on was connected'),
    sso_disconnected: text('Single sign-on was disconnected'),
    sso_changed: text('Single sign-on was changed'),
    domain_moved: text('A domain is no longer yours'),
    domain_lost: text('A domain is no longer verified'),
  },
  icons: {
    sso_connected: Link2,
    sso_disconnected: Link2Off,
    domain_added: Globe,
    domain_verified: ShieldCheck,
    domain_moved: ShieldAlert,
    domain_lost: ShieldAlert,
    domain_removed: Globe,
    sso_saved: KeyRound,
    sso_removed: KeyRound,
    sso_setup_link_made: Link2,
    sso_setup_link_used: Link2,
    sso_setup_link_withdrawn: Link2Off,
    sso_required: ShieldCheck,
    sso_not_required: ShieldOff,
  },
  sentences: {
    sso_connected: ({ actor }, { details }) =>
      rich('{actor} connected the single sign-on of {account}', { actor, account: details.account_name }),
    sso_disconnected: ({ actor }, { details }) =>
      rich('{actor} disconnected the single sign-on of {account}', { actor, account: details.account_name }),
    domain_added: ({ actor }, { details: { domain } }) => rich('{actor} added the domain {domain}', { actor, domain }),
    domain_verified: ({ actor }, { details: { domain } }) =>
      rich('{actor} verified the domain {domain}', { actor, domain }),
    domain_moved: (_, { details: { domain } }) =>
      rich('Another workspace proved the domain {domain}, whose record was gone here', { domain }),
    domain_lost: (_, { details: { domain } }) =>
      rich('The domain {domain} is no longer verified: its record was gone for three days', { domain }),
    domain_removed: ({ actor }, { details: { domain } }) =>
      rich('{actor} removed the domain {domain}', { actor, domain }),
    sso_saved: ({ actor }) => rich('{actor} saved the provider of single sign-on', { actor }),
    sso_removed: ({ actor }) => rich('{actor} removed single sign-on', { actor }),
    sso_setup_link_made: ({ actor }) => rich('{actor} made a setup link for single sign-on', { actor }),
    sso_setup_link_used: (_, { details: { domain } }) =>
      rich('The setup link was used: {what}', { what: domain ?? t('Single sign-on') }),
    sso_setup_link_withdrawn: () => t('The setup link for single sign-on was withdrawn'),
    sso_required: ({ actor }) => rich('{actor} required single sign-on', { actor }),
    sso_not_required: ({ actor }) => rich('{actor} stopped requiring single sign-on', { actor }),
  },
}
