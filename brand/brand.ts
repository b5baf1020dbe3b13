import { text } from '../plugins/languages/text.ts'

/** What the application is called, unless APP_NAME says otherwise. */
export const name = 'Accounts'

/** What it is, for search engines and link previews. */
export const description = text(
  '{appName}: one sign-in for your personal workspace and the ones you share with a team, a client or a project.',
  { appName: '' },
)

/** Each by day and by night. */
export const colours = {
  canvas: ['#f6f7f3', '#0c1210'],
  surface: ['#ffffff', '#141d19'],
  raised: ['#ffffff', '#1a2520'],
  hover: ['#eceee7', '#213029'],
  ink: ['#12211a', '#e9f0ec'],
  muted: ['#52625a', '#9fb2a8'],
  line: ['#e0e4db', '#26332d'],
  edge: ['#7f8c84', '#6b7d74'],

  accent: ['#0b5d44', '#83dab6'],
  'accent-strong': ['#08442f', '#a3e8cb'],
  'on-accent': ['#ffffff', '#05271b'],
  'accent-wash': ['#e1efe6', '#17352a'],
  danger: ['#b3261e', '#ffa59c'],
  'danger-strong': ['#8f1b15', '#ffc1ba'],
  'on-danger': ['#ffffff', '#3f0e09'],
  'danger-wash': ['#fbeae8', '#3b1b18'],

  door: ['#0a4a36', '#0b2a20'],
  mark: ['#0b5d44', '#17795a'],
  lamp: ['#e3f19a', '#d3e487'],
  glow: ['#e3f19a', '#e3f19a'],

  'tint-0': ['#d9ebdd', '#1d4434'],
  'tint-1': ['#efe6c4', '#453c17'],
  'tint-2': ['#d7e6ef', '#1d3b4c'],
  'tint-3': ['#f3dcd2', '#4d2b20'],
  'tint-4': ['#e5dfee', '#372f4b'],
} as const

/** Stands for the sign in mails, which have no pictures: a shape that needs only the colour `mark`. */
export const mailSign = 'width:18px;height:22px;border-radius:9px 9px 3px 3px'
