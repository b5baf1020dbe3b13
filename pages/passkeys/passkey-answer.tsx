import { useFormContext } from '@inertiajs/react'
import { use, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useDocumentErrors } from '../forms/document-errors.ts'
import { BeforeSending } from '../forms/form.tsx'
import { loaded } from '../shared/part.ts'
import { tooMany } from '../visits/failures.ts'
import { messageOf } from '../words/messages.ts'
import { t } from '../words/t.ts'

const load = () => import('./webauthn.ts')

export function PasskeyAnswer() {
  const form = useFormContext<Record<string, string>>()
  const errors = useDocumentErrors()
  const answer = useRef<HTMLInputElement>(null)
  const state = useRef<'idle' | 'prompting' | 'answered'>('idle')
  const [failure, setFailure] = useState<string>()

  const prompt = async () => {
    state.current = 'prompting'
    setFailure(undefined)
    try {
      const webauthn = await loaded(load)
      const assertion = await webauthn?.answerChallenge(() => answer.current !== null)
      state.current = 'idle'
      if (!assertion || !answer.current) return // cancelled or not loaded, or the form is gone
      answer.current.value = assertion
      state.current = 'answered'
      form?.submit()
    } catch (error) {
      state.current = 'idle'
      const isRefused = (await load().catch(() => undefined))?.isTooMany(error)
      setFailure(isRefused ? tooMany() : t("We couldn't ask for your passkey. Try again, or use your password."))
    }
  }
  useImperativeHandle(use(BeforeSending), () => () => {
    if (state.current === 'idle') prompt()
    const isAnswered = state.current === 'answered'
    if (isAnswered) state.current = 'idle' // the answer is good only once
    return isAnswered
  })
  useEffect(
    () => () =>
      void (
        state.current === 'prompting' &&
        load().then(
          ({ cancel }) => cancel(),
          () => {},
        )
      ),
    [],
  )

  const [refusal] = form?.errors.passkey_challenge ?? errors.passkey_challenge ?? []
  const message =
    failure ??
    (refusal &&
      (refusal === t('is invalid')
        ? t('That passkey did not work. Try again, or use your password.')
        : messageOf('passkey_challenge', t('Passkey'), refusal)))
  return (
    <>
      <input type="hidden" name="passkey_challenge" ref={answer} />
      {message && (
        <div className="field-error" role="alert" tabIndex={-1}>
          <p>{message}</p>
        </div>
      )}
    </>
  )
}
