import { customProperties } from '../../brand/themes.ts'

export const styleSheet = `
:root {
  color-scheme: light dark;
${customProperties}
}
* { box-sizing: border-box; margin: 0; }
body {
  padding: clamp(1.25rem, 4vw, 3rem) clamp(1rem, 4vw, 3rem);
  background: var(--canvas);
  color: var(--ink);
  font: 1rem / 1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 46rem; margin: 0 auto; }
h1 {
  font-size: clamp(1.625rem, 1.4rem + 1.1vw, 2.125rem);
  font-weight: 600;
  letter-spacing: -0.03em;
  line-height: 1.15;
}
h2 { margin: 2rem 0 0.5rem; color: var(--muted); font-size: 0.875rem; font-weight: 600; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.head { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; }
button {
  min-height: 2.5rem;
  padding: 0 1rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--surface);
  color: var(--ink);
  font: inherit;
  font-size: 0.9375rem;
  cursor: pointer;
}
button:hover { background: var(--hover); }
.empty { max-width: 30rem; margin-top: 0.75rem; color: var(--muted); }
.letters {
  margin: 1.5rem 0 0;
  padding: 0;
  border: 1px solid var(--line);
  border-radius: 16px;
  background: var(--surface);
  list-style: none;
  overflow: hidden;
}
.letters li + li { border-top: 1px solid var(--line); }
.letters a {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 1rem;
  padding: 0.875rem 1.25rem;
  color: inherit;
  text-decoration: none;
}
.letters a:hover { background: var(--hover); }
.letters a:focus-visible { outline-offset: -2px; border-radius: 16px; }
.subject { font-weight: 600; }
.to { grid-row: 2; color: var(--muted); font-size: 0.875rem; }
time { color: var(--muted); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.letters time { grid-area: 1 / 2; padding-top: 0.125rem; }
.back { display: inline-block; margin-bottom: 0.5rem; }
.back::before { content: '← '; }
h1 + dl { margin-top: 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.125rem 1.25rem; }
dt { color: var(--muted); }
iframe { width: 100%; height: 42rem; border: 1px solid var(--line); border-radius: 16px; }
pre {
  padding: 1.25rem;
  border: 1px solid var(--line);
  border-radius: 16px;
  background: var(--surface);
  font: 0.875rem / 1.6 ui-monospace, 'SF Mono', Menlo, monospace;
  white-space: pre-wrap;
}
@media (max-width: 30rem) {
  .letters a { grid-template-columns: 1fr; }
  .letters time { grid-area: auto; }
}
`
