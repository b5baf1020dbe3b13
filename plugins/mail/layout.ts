import { html } from 'ghtml'

type Parts = { title: string; preview: string; brand: string; body: string; footer: string }

/** The HTML around a mail: one column of at most 560 pixels, no image, light unless the client knows the dark. `brand`, `body` and `footer` are HTML. */
export const layout = ({ title, preview, brand, body, footer }: Parts) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>!${style}</style>
</head>
<body class="canvas">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" class="around">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="column">
<tr><td class="brand">!${brand}</td></tr>
<tr><td class="card">!${body}</td></tr>
<tr><td class="footer">!${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`

const style = ''
