import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { plainLetters } from '../../plugins/languages/plain.ts'
import { plural, t } from '../words/t.ts'
import { type Command, type Place, useCommands } from './commands.tsx'
import { useMembers } from './palette-members.tsx'

export type Props = Place & { canManage: boolean; onClose(): void }

const mostOfGroup = 6

/**
 * Leads everywhere by typing: a combobox whose options are workspaces, pages, members and what else the shell offers.
 */
export function Palette({ canManage, onClose, ...place }: Props) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const members = useMembers(canManage ? place.account?.slug : undefined, text)
  const words = plainLetters(text.trim()).split(/\s+/)
  const groups = useCommands(place)
    .map(({ label, commands }) => ({ label, commands: matching(commands, words) }))
    .concat(members.length > 0 ? [{ label: t('Members'), commands: members }] : [])
    .filter(({ commands }) => commands.length > 0)
  const options = groups.flatMap(({ commands }) => commands)
  const active = options[Math.min(position, options.length - 1)]

  const choose = (command: Command | undefined) => {
    if (!command) return
    setOpen(false)
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = Number(event.key === 'ArrowDown') - Number(event.key === 'ArrowUp')
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    if (step === 0) return choose(active)
    const next = (Math.min(position, options.length - 1) + step + options.length) % Math.max(options.length, 1)
    setPosition(next)
    document.getElementById(`${id}-${options[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="visually-hidden">{t('Search')}</Dialog.Title>
          <div className="palette-search">
            <Search />
            <input
              role="combobox"
              aria-expanded
              aria-controls={id}
              aria-activedescendant={active && `${id}-${active.id}`}
              aria-autocomplete="list"
              aria-label={t('Search')}
              placeholder={t('Workspaces, pages, people…')}
              dir={text ? 'auto' : undefined} // the placeholder is in the language of the page
              autoComplete="off"
              spellCheck={false}
              value={text}
              onInput={({ currentTarget: { value } }) => {
                setText(value)
                setPosition(0)
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div className="palette-options" role="listbox" id={id} aria-label={t('Search')}>
            {groups.map(({ label, commands }) => (
              // biome-ignore lint/a11y/useSemanticElements: a listbox may contain no fieldset
              <div key={label} role="group" aria-label={label}>
                <p className="menu-label" aria-hidden="true" dir="auto">
                  {label}
                </p>
                {commands.map((command) => (
                  // The keyboard is that of the field, which has the focus.
                  // biome-ignore lint/a11y/useKeyWithClickEvents: see above
                  <div
                    key={command.id}
                    id={`${id}-${command.id}`}
                    className="menu-item"
                    role="option"
                    tabIndex={-1}
                    aria-selected={command === active}
                    data-highlighted={command === active || undefined}
                    onPointerMove={() => setPosition(options.indexOf(command))}
                    onClick={() => choose(command)}
                  >
                    {command.icon}
                    <span className="menu-text" dir="auto">
                      {command.name}
                    </span>
                    {command.hint && <bdi className="palette-hint">{command.hint}</bdi>}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <p className="palette-status" role="status">
            {options.length === 0
              ? t('Nothing matches.')
              : text && (
                  <span className="visually-hidden">{plural(options.length, '{count} result', '{count} results')}</span>
                )}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Commands that have all words, in their name or at the beginning of their hint. Best first. */
function matching(commands: Command[], words: string[]) {
  const begins = ({ name }: Command) => Number(plainLetters(name).startsWith(words.join(' ')))
  const has = ({ name, hint = '' }: Command, word: string) =>
    plainLetters(name).includes(word) || plainLetters(hint).replace('/', '').startsWith(word)
  return commands
    .filter((command) => words.every((word) => has(command, word)))
    .sort((one, other) => begins(other) - begins(one))
    .slice(0, words[0] ? commands.length : mostOfGroup)
}
