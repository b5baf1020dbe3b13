/**
 * The few icons of the sign-in pages, inlined: the icon library would add a fifth to what these pages load besides
 * React.
 */

export const Icon = ({ name, d }: { name: string; d: string }) => (
  <svg
    className={name}
    width="24"
    height="24"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={d} />
  </svg>
)

export const AlertIcon = () => <Icon name="alert-icon" d="M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20M12 8v4M12 16h.01" />
export const CloseIcon = () => <Icon name="close-icon" d="M18 6 6 18M6 6l12 12" />
export const KeyIcon = () => (
  <Icon
    name="key-icon"
    d="M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4zM16.5 7.5h.01"
  />
)
export const GlobeIcon = () => (
  <Icon
    name="globe-icon"
    d="M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20a14.5 14.5 0 0 0 0 20a14.5 14.5 0 0 0 0-20M2 12h20"
  />
)
