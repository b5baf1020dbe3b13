import { methodInWords } from '../../features/auth/methods.ts'
import type { Provider } from '../../features/auth/props.ts'
import { t } from './t.ts'

export function withMethod(method: string | undefined, providers: Provider[]) {
  const words = methodInWords(method, providers)
  return words && t(words)
}
