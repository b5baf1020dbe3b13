import { text } from '../../plugins/languages/text.ts'
import type { FirstWords } from '../auth/methods.ts'

export const singleSignOnWords: FirstWords = { alone: text('with single sign-on') }
