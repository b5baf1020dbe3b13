import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { speech } from '../words/t.ts'

type Panel<Name extends string> = { name: Name; label: ReactNode; content: ReactNode }
type Props<Name extends string> = {
  label: string
  panels: Panel<Name>[]
  chosen: Name
  onChoose(name: Name): void
  /** What concerns all panels, between the tabs and the chosen one. */
  children?: ReactNode
}

/** Parts of a page of which one is shown, chosen by tabs. Without the script, all of them are. */
export function Panels<Name extends string>({ label, panels, chosen, onChoose, children }: Props<Name>) {
  const id = useId()

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const toTheRight = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft')
    const step = speech().dir === 'rtl' ? -toTheRight : toTheRight
    const index = panels.findIndex(({ name }) => name === chosen)
    const next = panels.at((index + step) % panels.length)
    if (step === 0 || !next) return
    event.preventDefault()
    onChoose(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }

  return (
    <>
      <div className="tabs panel-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {panels.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-controls={`${id}-panel-${name}`}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {label}
          </button>
        ))}
      </div>
      {children}
      {panels.map(({ name, content }) => (
        <div
          key={name}
          className="panel"
          role="tabpanel"
          id={`${id}-panel-${name}`}
          aria-labelledby={`${id}-${name}`}
          data-hidden={name !== chosen}
        >
          {content}
        </div>
      ))}
    </>
  )
}
