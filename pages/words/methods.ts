import { type MethodWords, methodInWords, passwordWords } from '../../features/auth/methods.ts'
import type { Provider } from '../../features/auth/props.ts'
import { features } from '../features.ts'
import { t } from './t.ts'

const words: MethodWords = {
  first: Object.assign({ password: passwordWords }, ...features.map(({ methods }) => methods?.first)),
  second: Object.assign({}, ...features.map(({ methods }) => methods?.second)),
}

export function withMethod(method: string | undefined, providers: Provider[]) {
  const inWords = methodInWords(method ?? '', words, providers)
  return inWords && t(inWords)
}
