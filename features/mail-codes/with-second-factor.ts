import { text } from '../../plugins/languages/text.ts'

/** Two codes in one sentence need to be told apart. */
export const codeAndCode = { code: text('with a code by mail and one from an app') }
