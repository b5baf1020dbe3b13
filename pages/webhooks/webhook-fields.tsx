import { useFormContext } from '@inertiajs/react'
import { useId } from 'react'
import type { TypeProps } from '../../features/webhooks/props.ts'
import { asTyped, Field } from '../forms/field.tsx'
import { sentenceOf } from '../words/answers.ts'
import { t } from '../words/t.ts'
import { Code } from './code.tsx'
import { exampleOf } from './verification.ts'

export const UrlField = ({ url }: { url?: string }) => (
  <Field
    name="url"
    label={t('URL')}
    type="url"
    placeholder="https://example.com/webhooks"
    maxLength={2_000}
    defaultValue={url}
    hint={t('We send each activity there as it happens. It must begin with https.')}
    {...asTyped}
    required
  />
)

type Props = {
  account: { slug: string; name: string }
  types: TypeProps[]
  chosen: string[]
  onChoose(chosen: string[]): void
}

const all = ['*']

/** What to send: everything, or these types, each with what it means and an example of its body. */
export function TypeChoice({ account, types, chosen, onChoose }: Props) {
  const id = useId()
  const form = useFormContext<Record<string, string>>()
  const [error] = [form?.errors.types].flat()
  const isAll = chosen[0] === '*'
  const toggle = (name: string, isChosen: boolean) =>
    onChoose(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name))

  return (
    <fieldset className="field webhook-types" aria-describedby={`${id}-error`}>
      <legend>{t('What to send')}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked ? all : [])}
        />
        {t('Everything, also what later versions add')}
      </label>
      {!isAll &&
        types.map(({ name, label }) => {
          const isChosen = chosen.includes(name)
          return (
            <div key={name}>
              <label className="check">
                <input
                  type="checkbox"
                  checked={isChosen}
                  onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
                />
                <span>
                  {label} <code dir="ltr">{name}</code>
                </span>
              </label>
              {isChosen && <Example type={name} account={account} />}
            </div>
          )
        })}
      {isAll && <Example type="member_joined" account={account} />}
      <div className="field-error" id={`${id}-error`} aria-live="polite">
        {error && sentenceOf(error)}
      </div>
    </fieldset>
  )
}

const Example = ({ type, account }: { type: string } & Pick<Props, 'account'>) => (
  <details>
    <summary>{t('An example of its body')}</summary>
    <Code>{exampleOf(type, account)}</Code>
  </details>
)
