export const SkipLink = () => (
  <a className="skip-link" href="#content">
    Skip to content
  </a>
)
