import { text } from '../../plugins/languages/text.ts'
import type { FirstWords } from '../auth/methods.ts'

export const passkeyWords: FirstWords = { alone: text('with a passkey') }
