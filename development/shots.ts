import type { Page } from 'playwright-core'
import { password } from './world.ts'

/** A picture: the page, the signed-in user, and what to do first. */
export type Shot = {
  name: string
  path: string
  as?: 'owner' | 'member' | 'new'
  after?: (page: Page) => Promise<unknown>
  /** The whole page, not only the visible part. */
  whole?: true
  /** Also goes into README's gallery. */
  gallery?: 'light' | 'dark'
}

export const shots = (token: string): Shot[] => [
  { name: 'home', path: '/' },
  { name: 'sign-in', path: '/sign_in' },
  { name: 'sign-in-refused', path: '/sign_in', after: refusedSignIn },
  { name: 'sign-in-deep', path: '/acme/members' },
  { name: 'sign-in-ended', path: '/settings/profile', as: 'new', after: loseSession },
  { name: 'second-factor', path: '/sign_in', after: halfASignIn },
  { name: 'second-factor-recovery', path: '/sign_in', after: recover },
  { name: 'sign-up', path: '/sign_up', gallery: 'dark' },
  { name: 'sign-up-errors', path: '/sign_up', after: press('Sign up') },
  { name: 'sign-up-invited', path: `/sign_up?invitation=${token}` },
  { name: 'invitation', path: `/invitations/${token}` },
  { name: 'invitation-for-another', path: `/invitations/${token}`, as: 'new' },
  { name: 'forgot', path: '/identity/password_reset/new' },
  { name: 'check-mail', path: '/identity/password_reset/new', after: forgetPassword },
  { name: 'overview-new', path: '/dashboard', as: 'new' },
  { name: 'overview', path: '/acme', as: 'owner', gallery: 'light' },
  { name: 'overview-as-member', path: '/acme', as: 'member' },
  { name: 'members', path: '/acme/members', as: 'owner', gallery: 'light', whole: true },
  { name: 'members-alone', path: '/zed/members', as: 'new' },
  { name: 'members-none-found', path: '/acme/members?q=nobody', as: 'owner' },
  { name: 'members-as-member', path: '/acme/members', as: 'member' },
  { name: 'members-role', path: '/acme/members', as: 'owner', after: press(/^Role of .*: Member/) },
  { name: 'members-invite', path: '/acme/members', as: 'owner', after: inviteBadly },
  { name: 'members-remove', path: '/acme/members', as: 'owner', after: press(/^Remove/) },
  { name: 'account-activity', path: '/acme/activity', as: 'owner' },
  { name: 'account-activity-one', path: '/zed/activity', as: 'new' },
  { name: 'account-settings-refused', path: '/acme/settings', as: 'owner', after: press('Require it') },
  { name: 'account-settings', path: '/acme/settings', as: 'owner', whole: true },
  { name: 'account-settings-member', path: '/acme/settings', as: 'member' },
  { name: 'account-deletion', path: '/acme/settings', as: 'owner', after: press('Delete account') },
  { name: 'new-account', path: '/accounts/new', as: 'owner' },
  { name: 'switcher', path: '/acme', as: 'owner', after: press(/^Account:/) },
  { name: 'switcher-many', path: '/acme', as: 'member', after: press(/^Account:/) },
  { name: 'user-menu', path: '/acme', as: 'owner', after: press(/^Menu of/) },
  { name: 'profile', path: '/settings/profile', as: 'owner', whole: true },
  { name: 'profile-errors', path: '/settings/profile', as: 'owner', after: emptyName },
  { name: 'profile-deletion', path: '/settings/profile', as: 'owner', after: press('Delete your profile') },
  { name: 'email', path: '/settings/email', as: 'new' },
  { name: 'password', path: '/settings/password', as: 'owner' },
  { name: 'security-off', path: '/settings/security', as: 'owner' },
  { name: 'security-setup', path: '/settings/security', as: 'new', after: setUp, whole: true },
  { name: 'security-on', path: '/settings/security', as: 'member', gallery: 'dark', whole: true },
  { name: 'recovery-codes', path: '/settings/security', as: 'member', after: renewCodes, whole: true },
  { name: 'sessions', path: '/settings/sessions', as: 'owner' },
  { name: 'sessions-many', path: '/settings/sessions', as: 'member' },
  { name: 'activity', path: '/settings/activity', as: 'owner' },
  { name: 'appearance', path: '/settings/appearance', as: 'owner' },
  { name: '404', path: '/404.html' },
  { name: '500', path: '/500.html' },
]

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

async function refusedSignIn(page: Page) {
  await signIn(page, 'ana@example.com', 'wrong horse battery')
  await page.getByRole('alert').waitFor()
}

async function halfASignIn(page: Page) {
  await signIn(page, 'ben@example.com', password)
  await page.waitForURL('/sign_in/verify')
}

async function recover(page: Page) {
  await halfASignIn(page)
  await press('Use a recovery code')(page)
}

async function loseSession(page: Page) {
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Email', exact: true }).click()
  await page.waitForURL('/sign_in')
}

async function signIn(page: Page, email: string, secret: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function forgetPassword(page: Page) {
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByRole('button', { name: 'Send reset instructions' }).click()
  await page.waitForURL('/sign_in')
}

async function inviteBadly(page: Page) {
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Emails').fill('ben@example.com, nobody, cleo@example.com')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('This address is a member already').waitFor()
}

async function emptyName(page: Page) {
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
}

async function setUp(page: Page) {
  await press('Set up')(page)
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
}

async function renewCodes(page: Page) {
  await press('Make new codes')(page)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Make new codes' }).click()
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
}
