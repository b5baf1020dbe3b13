import { useFormContext } from '@inertiajs/react'
import { createContext, type ReactNode, use } from 'react'
import { Button } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'

/** Whether the form was saved just now, which its button says. */
export const Saved = createContext(false)

type SubmitProps = { look?: 'primary' | 'secondary' | 'danger'; children: ReactNode }

export function Submit({ look = 'primary', children }: SubmitProps) {
  const processing = useFormContext()?.processing ?? false
  const isSaved = use(Saved)
  return (
    <>
      <Button
        type="submit"
        look={look}
        aria-disabled={processing} // `disabled` would lose the focus
        aria-busy={processing}
        onClick={(event) => processing && event.preventDefault()}
      >
        {isSaved && <Icon name="check" />}
        {isSaved ? t('Saved') : children}
      </Button>
      <span className="visually-hidden" role="status">
        {isSaved && t('Saved')}
      </span>
    </>
  )
}
