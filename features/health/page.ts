export const healthPage = (nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Up</title>
    <style nonce="${nonce}">
      :root { color-scheme: light dark; background: light-dark(green, darkgreen); color: #fff; }
      body { display: grid; place-content: center; min-height: 100vh; margin: 0; font: 1.5rem system-ui, sans-serif; }
    </style>
  </head>
  <body>
    <h1>Up</h1>
  </body>
</html>
`
