import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Link } from '@inertiajs/react'
import { Check, Ellipsis } from 'lucide-react'
import { type ComponentProps, Fragment, type KeyboardEvent, type ReactNode, useState } from 'react'
import { rich } from '../words/t.ts'
import { closed, type Trigger } from './closed.tsx'

type Menu = {
  trigger: Trigger
  align?: 'start' | 'end'
  /** Content above the items, such as a search field. The popup then needs a name. */
  head?: ReactNode
  name?: string
  /** The last item, which stays in sight while the others scroll. */
  foot?: ReactNode
  children: ReactNode
}

export function Menu(menu: Menu) {
  const [isBuilt, setBuilt] = useState(false)
  return isBuilt ? <Built {...menu} /> : closed(menu.trigger, 'menu', () => setBuilt(true))
}

function Built({ trigger, align = 'start', head, name, foot, children }: Menu) {
  const [main] = useState(() => document.querySelector('main')) // inside a landmark, so assistive technology finds it

  return (
    <BaseMenu.Root modal={false} defaultOpen>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal container={main}>
        <BaseMenu.Positioner className="menu-positioner" sideOffset={8} align={align} collisionPadding={12}>
          <BaseMenu.Popup
            className="menu"
            ref={prepare}
            {...(head && { role: 'dialog', 'aria-label': name, onKeyDownCapture: searchOn })}
          >
            {head}
            <div className="menu-items" role={head ? 'menu' : undefined}>
              {children}
              {foot && (
                <div className="menu-foot">
                  <MenuSeparator />
                  {foot}
                </div>
              )}
            </div>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

// The first time, the menu is open before it could take the focus. Base UI hides its focus guards from assistive
// technology, although they receive the focus.
function prepare(popup: HTMLElement | null) {
  if (!popup) return
  const frame = requestAnimationFrame(() => {
    if (!popup.contains(document.activeElement) || document.activeElement === popup) {
      popup.querySelector<HTMLElement>('input, [role^="menuitem"]')?.focus()
    }
    for (const guard of document.querySelectorAll('[data-base-ui-focus-guard]')) guard.removeAttribute('aria-hidden')
  })
  return () => cancelAnimationFrame(frame)
}

/** Whoever types while an item has the focus goes on searching. The menu would jump to items that begin like this. */
function searchOn(event: KeyboardEvent<HTMLElement>) {
  const { key, ctrlKey, altKey, metaKey, target, currentTarget } = event
  if (key.length !== 1 || key === ' ' || ctrlKey || altKey || metaKey || target instanceof HTMLInputElement) return
  event.stopPropagation()
  currentTarget.querySelector('input')?.focus() // which then gets the letter
}

/** The button of the menu of a row, which has room for dots alone. */
export const MoreButton = ({ name, ...button }: { name: string } & Omit<ComponentProps<'button'>, 'name'>) => (
  <button type="button" className="button button-small button-quiet" {...button}>
    <span className="visually-hidden">{rich('Actions for {name}', { name })}</span>
    <Ellipsis />
  </button>
)

type LinkItem = { href: string; current?: boolean; children: ReactNode }

export function MenuLink({ href, current = false, children }: LinkItem) {
  return (
    <BaseMenu.LinkItem
      className="menu-item"
      closeOnClick
      aria-current={current || undefined}
      render={<Link href={href} prefetch />}
    >
      {children}
      {current && <Check className="menu-check" />}
    </BaseMenu.LinkItem>
  )
}

export function MenuAction({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <BaseMenu.Item className="menu-item" onClick={onClick}>
      {children}
    </BaseMenu.Item>
  )
}

type Choice<Value> = {
  label: string
  value: Value
  options: readonly { value: Value; content: ReactNode; isApart?: boolean }[]
  onChange(value: Value): void
  closes?: boolean
}

export function MenuChoice<Value extends string>({ label, value, options, onChange, closes = false }: Choice<Value>) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="menu-label">{label}</BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Fragment key={option.value}>
            {option.isApart && <MenuSeparator />}
            <BaseMenu.RadioItem value={option.value} className="menu-item" closeOnClick={closes}>
              {option.content}
              <BaseMenu.RadioItemIndicator className="menu-check" render={<Check />} />
            </BaseMenu.RadioItem>
          </Fragment>
        ))}
      </BaseMenu.RadioGroup>
    </BaseMenu.Group>
  )
}

export const MenuSeparator = () => <BaseMenu.Separator className="menu-separator" />
