import { text } from '../../plugins/languages/text.ts'
import type { FirstWords } from '../auth/methods.ts'
import { codeAndCode } from './with-second-factor.ts'

export const mailCodeWords: FirstWords = { alone: text('with a code by mail'), and: codeAndCode }
