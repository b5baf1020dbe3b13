import { Component, type ReactNode } from 'react'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'

type Props = { as?: 'div' | 'main'; children: ReactNode }
type State = { page: ReactNode; failed: boolean }

/** Says that a page could not be shown, where React would leave nothing at all. React logs the error, once. */
export class Boundary extends Component<Props, State> {
  override state: State = { page: undefined, failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  /** Another page gets its own chance. */
  static getDerivedStateFromProps({ children }: Props, { page }: State) {
    return children === page ? null : { page: children, failed: false }
  }

  override render() {
    const { as: Element = 'div', children } = this.props
    if (!this.state.failed) return children
    return (
      <Element>
        <div className="failed" role="alert">
          <h1 id="content" tabIndex={-1}>
            {t("This page can't be shown")}
          </h1>
          <p>{t("Something on it isn't as we expected. Nothing was changed. Reload the page, or come back later.")}</p>
          <Button look="primary" onClick={() => location.reload()}>
            {t('Reload')}
          </Button>
        </div>
      </Element>
    )
  }
}
