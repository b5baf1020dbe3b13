import { html } from 'ghtml'
import { describe, people } from './people.ts'

/** Who to be. Forms without scripts, as the provider is another site. */
export const choicePage = (action: string) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Development</title>
    <style>
      body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; font: 1rem/1.5 system-ui; color-scheme: light dark }
      form { display: grid; gap: 0.75rem }
      button { padding: 0.75rem; font: inherit; text-align: start; cursor: pointer }
      small { display: block; opacity: 0.7 }
    </style>
  </head>
  <body>
    <h1>Who do you want to be?</h1>
    <p>This provider exists in development only. Everybody here is invented.</p>
    <form method="post" action="${action}">
      !${people.map(
        (person) =>
          html`<button name="sub" value="${person.sub}">${person.name}<small>${describe(person)}</small></button>`,
      )}
      <button name="sub" value="">Cancel</button>
    </form>
  </body>
</html>`
