import { Type } from 'typebox'
import { Field } from '../../plugins/forms/parameters.ts'

export const CodeBody = Type.Object({ code: Field })
