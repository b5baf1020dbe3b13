import { useFormContext } from '@inertiajs/react'
import {
  type ComponentProps,
  type ElementType,
  type FocusEvent,
  type ReactNode,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { ownHeaders } from '../visits/requests.ts'
import { messageOf } from '../words/messages.ts'
import { t } from '../words/t.ts'
import { useDocumentErrors } from './document-errors.ts'
import { ValidatesAhead } from './form.tsx'

export type Labels = {
  name: string
  label: string
  hint?: ReactNode
  /** Beside the label, such as a link. */
  aside?: ReactNode
  /** Beside the control, such as a button. */
  after?: ReactNode
  /** What to do about a message, keyed by the server's wording in the reader's language. */
  remedies?: Record<string, ReactNode>
  /** What a message says here, keyed alike. */
  sentences?: Record<string, () => ReactNode>
  error?: ReactNode
}

export type FieldProps = Labels & ComponentProps<'input'>

export const NameField = (props: Partial<FieldProps>) => (
  <Field name="name" label={t('Name')} required ref={useFollowing(props.defaultValue)} {...props} />
)

/** A stored value that changed elsewhere shows, unless somebody has typed: saving must not bring the old one back. */
function useFollowing(stored: FieldProps['defaultValue']) {
  const input = useRef<HTMLInputElement>(null)
  const shown = useRef(stored)
  useEffect(() => {
    const { current } = input
    if (current && stored !== undefined && current.value === shown.current) current.value = String(stored)
    shown.current = stored
  }, [stored])
  return input
}

/**
 * For what is no prose, and taken as it is typed: from left to right in every language, or `bianca@` reads `@bianca`.
 */
export const asTyped = { dir: 'ltr', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

export const Field = (props: FieldProps) => <Labelled as="input" {...props} />

type Props = Labels & { as: ElementType; [attribute: string]: unknown }

/** A control with its label, its hint and what is wrong with it. Other attributes are the control's. */
export function Labelled({
  as: Control,
  name,
  label,
  hint,
  aside,
  after,
  remedies,
  sentences,
  error,
  ...control
}: Props) {
  const id = useId()
  const form = useFormContext<Record<string, string>>()
  const errors = useDocumentErrors()
  const validatesAhead = use(ValidatesAhead)
  const [edited, setEdited] = useState(false)

  // Those of the document apply until the field is edited.
  const [message] = form?.errors[name] ?? (edited ? [] : (errors[name] ?? []))
  const described = message && (
    <p>
      {sentences?.[message]?.() ?? messageOf(name, label, message)} {remedies?.[message]}
    </p>
  )
  const shown = error ?? described

  const onInput = () => {
    setEdited(true)
    if (form?.errors[name]) form.clearErrors(name)
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // A submit follows and validates everything.
    const submits = relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit'
    if (validatesAhead && edited && form && !form.processing && !submits) form.validate(name, { headers: ownHeaders() })
  }

  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <div className="field-box" onInput={onInput}>
        <Control
          id={id}
          name={name}
          aria-invalid={Boolean(shown)}
          aria-describedby={`${hint ? `${id}-hint ` : ''}${id}-error`}
          onBlur={onBlur}
          {...control}
        />
        {after}
      </div>
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <div className="field-error" id={`${id}-error`} aria-live="polite">
        {shown}
      </div>
    </div>
  )
}
