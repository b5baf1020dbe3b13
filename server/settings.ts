import '../features/mail-codes/settings.ts'
import '../features/providers/settings.ts'
import '../features/single-sign-on/settings.ts'
import '../features/webhooks/settings.ts'
import '../features/workspace-tokens/settings.ts'
import { type Static, type TNumberOptions, type TStringOptions, Type } from 'typebox'
import { name } from '../brand/brand.ts'
import { lifetime, matching, oneOf, optionSettings, port, secret, setting, whole } from '../plugins/settings.ts'

const database = secret('be an address such as postgres://user:password@host:5432/database')
const toggle = '^(true|false|1|0|on|off)$'
const link = setting('be the address of a page, such as https://example.com/terms', '^https?://[^\\s<>"]+$', {
  format: 'uri',
})
const mailbox = '[^<>@\\s]+@[^<>@\\s]+'
// Directives and origins as in the header, without keywords such as 'unsafe-inline'.
const directive =
  '(script|style|img|font|connect|media|frame|worker)-src( +(https|wss)://(\\*\\.)?[\\w.-]+(:\\d{1,5})?)+'

/** The environment variables of the core. Empty ones count as unset. */
const Settings = Type.Object({
  NODE_ENV: oneOf('development', 'production', 'test'),
  HOST: setting(
    'be the public address of the application without a path, such as https://app.example.com',
    '^https?://[^/?#@\\s]+/?$',
    { format: 'uri' },
  ),
  PORT: Type.Integer({ ...port, default: 3000 }),
  BIND: setting('be an address to listen on, such as 0.0.0.0'),
  SECRET_KEY_BASE: secret('be a secret of at least 32 characters; `openssl rand -hex 64` makes one', '^[^]{32,}$'),
  SECRET_KEY_BASE_PREVIOUS: secret(
    'be the SECRET_KEY_BASE that was used before, of at least 32 characters, and not the one of now',
    '^[^]{32,}$',
  ),
  TRUST_PROXY: matching('be the number of proxies in front, from 0 to 5', '^([0-5]|true|false)$', '1'),
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_CA: setting('be the certificate of an authority as text, from -----BEGIN CERTIFICATE----- on'),
  DATABASE_WAIT: matching('be a number of seconds such as 60 or 60s', '^\\d{1,4}s?$', '60'),
  DATABASE_POOL: whole('connections', 1, 999, 10),
  QUEUE_URL: database,
  WEB_CONCURRENCY: whole('processes', 1, 999, 1),
  DRAIN_SECONDS: whole('seconds', 0, 999, 0),
  KEEP_ALIVE_SECONDS: whole('seconds', 1, 3_600, 72),
  METRICS_PORT: Type.Optional(Type.Integer({ ...port, must: `${port.must}, and not that of PORT` })),
  // A name, or an address, of which that of IPv6 has colons.
  MAILER_HOST: setting(
    'be the name of a mail server and nothing else, such as smtp.example.com: ' +
      'the port belongs in MAILER_PORT, the login in MAILER_USER and MAILER_PASSWORD',
    '^([^\\s:/@?#]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$',
  ),
  MAILER_PORT: Type.Integer({ ...port, must: 'be a port such as 587 or 465', minimum: 1, default: 587 }),
  MAILER_USER: setting("be the mail server's username"),
  MAILER_PASSWORD: secret('be the password at the mail server'),
  MAIL_FROM: setting(
    'be an address such as accounts@example.com or Accounts <accounts@example.com>',
    `^([^<>\\r\\n]+ <${mailbox}>|${mailbox})$`,
  ),
  APP_NAME: matching('be a name of 1 to 60 characters', '^.{1,60}$', name),
  SIGN_UP: oneOf('open', 'invitation_only'),
  LANGUAGES: setting(
    'be languages that the application speaks, each once, such as en,de: the first is the default',
    '^[A-Za-z-]+( *, *[A-Za-z-]+)*$',
  ),
  TERMS_URL: link,
  PRIVACY_URL: link,
  IMPRINT_URL: link,
  SUPPORT_URL: setting(
    'be where people get help, such as https://example.com/help or mailto:help@example.com',
    '^(https://|mailto:)[^\\s<>"]+$',
    { format: 'uri' },
  ),
  SUPPORT_EMAIL: setting('be an address such as help@example.com', `^${mailbox}$`),
  SSR_ENABLED: setting('be true or false', toggle),
  SSR_TIMEOUT_MS: whole('milliseconds', 1, 999_999, 1_500),
  DEMO_ADMIN_EMAIL: setting('be an email address, set together with DEMO_ADMIN_PASSWORD', '^[^\\s@]+@[^\\s@]+$'),
  DEMO_ADMIN_PASSWORD: secret('have 12 to 72 characters, set together with DEMO_ADMIN_EMAIL', '^[^]{12,72}$'),
  COMMON_PASSWORDS: oneOf('allow', 'refuse'),
  ACTIVITY_DAYS: whole('days', 1, 99_999, 365),
  SESSION_IDLE: Type.Optional(Type.String(lifetime('30m or 12h'))),
  SESSION_MAX: Type.Optional(Type.String(lifetime('12h or 30d'))),
  LOG_LEVEL: oneOf('info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'),
  COMPRESSION: matching('be true or false', toggle, 'true'),
  CSP_SOURCES: setting(
    'be directives with origins, such as script-src https://js.example.com; img-src https://example.com',
    `^${directive}( *; *${directive})*;?$`,
  ),
})

export type Environment = Static<typeof Settings>
export type Name = keyof Environment

/** `must` is what a variable must be, for operators. */
type Rule = TStringOptions & TNumberOptions & { must: string; isSecret?: true; type?: string; enum?: unknown[] }
const rules: Record<string, unknown> = Object.assign(
  { ...Settings.properties },
  ...optionSettings.map(({ variables }) => variables),
)
export const names = Object.keys(rules)
export const ruleOf = (name: string) => rules[name] as Rule

/** Whether the value follows the rule. Without `typebox/value`, which has 300 files. */
export function isAllowed(name: string, value: unknown) {
  const rule = ruleOf(name)
  if (rule.enum) return rule.enum.includes(value)
  if (rule.type === 'integer')
    return Number.isInteger(value) && Number(value) >= Number(rule.minimum) && Number(value) <= Number(rule.maximum)
  const text = String(value)
  if (text.trim() === '') return false // blanks alone, of which an editor or a template left some
  return new RegExp(rule.pattern ?? '', 'u').test(text) && (rule.format !== 'uri' || URL.canParse(text))
}
