import { day, night } from '../../brand/themes.ts'

const either = (colour: keyof typeof day) => `light-dark(${day[colour]}, ${night[colour]})`

/** Without custom properties, which unsupported browsers do not know. */
export const errorPages =
  () => `/* Written by \`npm run brand\`. Simple on purpose: unsupported browsers load it too. */
@font-face {
  font-family: Typeface;
  font-weight: 400 700;
  font-display: swap;
  src: url('/typeface.woff2') format('woff2');
}

* {
  box-sizing: border-box;
  margin: 0;
}

html {
  height: 100%;
  color-scheme: light dark;
}

body {
  display: flex;
  flex-direction: column;
  min-height: 100%;
  padding: 2rem 1.5rem 0;
  background: ${day.canvas};
  color: ${day.ink};
  font:
    1.0625rem / 1.55 Typeface,
    system-ui,
    -apple-system,
    'Segoe UI',
    Roboto,
    sans-serif;
  text-align: center;
}

main {
  width: 100%;
  max-width: 32rem;
  margin: auto;
  padding-bottom: 3rem;
}

.code {
  color: ${day.muted};
  font-size: 0.875rem;
  font-weight: 600;
  letter-spacing: 0.08em;
}

h1 {
  margin: 0.5rem 0 0.75rem;
  font-size: 2.25rem;
  font-weight: 600;
  letter-spacing: -0.03em;
  line-height: 1.1;
  text-wrap: balance;
}

p {
  text-wrap: balance;
  color: ${day.muted};
}

a {
  display: inline-block;
  margin-top: 2rem;
  padding: 0.75rem 1.5rem;
  border-radius: 10px;
  background: ${day.accent};
  color: ${day['on-accent']};
  font-weight: 600;
  text-decoration: none;
}

a:hover {
  background: ${day['accent-strong']};
}

a:focus-visible {
  outline: 2px solid ${day.accent};
  outline-offset: 3px;
}

.door {
  width: 11rem;
  height: 11rem;
  margin: 0 auto -0.5rem;
}

/* Unsupported browsers do not know the function, and stay with the day. */
@supports (color: light-dark(red, red)) {
  [data-theme='light'] {
    color-scheme: light;
  }

  [data-theme='dark'] {
    color-scheme: dark;
  }

  body {
    background: ${either('canvas')};
    color: ${either('ink')};
  }

  p,
  .code {
    color: ${either('muted')};
  }

  a {
    background: ${either('accent')};
    color: ${either('on-accent')};
  }

  a:hover {
    background: ${either('accent-strong')};
  }

  a:focus-visible {
    outline-color: ${either('accent')};
  }
}
`
