import type { FirstWords } from '../../features/auth/methods.ts'
import { text } from '../../plugins/languages/text.ts'

export const linkWords: FirstWords = { alone: text('with a link by mail') }
