import { isStorable } from '../database/index.ts'
import { text } from '../languages/index.ts'
import { assertValid } from './index.ts'
import { isLongerThan } from './lengths.ts'

/** Validates the name of a thing, which the form's field `name` holds. Throws Invalid. */
export function checkName(name: string, maxLength: number) {
  const messages = name.trim() === '' ? [text("can't be blank")] : []
  if (isLongerThan(maxLength, name))
    messages.push(text('is too long (maximum is {max} characters)', { max: maxLength }))
  if (!isStorable(name)) messages.push(text('is invalid'))
  assertValid({ name: messages })
  return name
}
