import { Icon } from '../shared/icon.tsx'

const marks = import.meta.glob<string>('./marks/*.svg', { query: '?raw', import: 'default', eager: true })

export const hasMark = (id: string) => `./marks/${id}.svg` in marks

export const ProviderMark = ({ id }: { id: string }) => {
  const mark = marks[`./marks/${id}.svg`]
  return mark ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours
    <span className="provider-mark" dangerouslySetInnerHTML={{ __html: mark }} />
  ) : (
    <span className="provider-mark">
      <Icon name="door" />
    </span>
  )
}
