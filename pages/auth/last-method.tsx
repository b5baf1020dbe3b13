import { storeOf } from '../hooks/store.ts'
import { forget, keep, kept, remember, remembered } from '../visits/storage.ts'
import { t } from '../words/t.ts'

// Stored for the browser and not for a person, so it tells nobody who signed in.
const name = 'last-method'

export const { use: useLastMethod } = storeOf(() => remembered(name), undefined)

export function rememberMethod(method: string) {
  forget(name) // another one was begun, and not finished
  remember(name, method)
}

/** A provider's success is known only after coming back from it. */
export const tryMethod = (method: string) => keep(name, method)

export function confirmMethod() {
  const method = kept(name)
  if (!method) return
  rememberMethod(JSON.parse(method))
  forget(name)
}

/** The badge is not part of the button's name, so the button is described by it as well. */
export const LastUsed = () => (
  <span className="badge" aria-hidden="true">
    {t('Last used')}
  </span>
)

export const asLastUsed = (isLast: boolean) => (isLast ? { 'aria-description': t('Last used') } : {})
