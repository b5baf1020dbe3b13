import { html } from 'ghtml'
import { mailSign } from '../../brand/brand.ts'
import { day, night } from '../../brand/themes.ts'
import type { Speech } from '../languages/translate.ts'

type Parts = { language: Speech; title: string; preheader: string; brand: string; body: string; footer: string }
type Direction = Speech['dir']

/** Light colours are inline, for clients without style sheets. The style sheet overrides them in dark mode. */
export const layout = ({ language: { tag, dir }, title, preheader, brand, body, footer }: Parts) => html`<!doctype html>
<html lang="${tag}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>!${title}</title>
<style>!${styleSheet}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:${day.canvas}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">!${preheader}</div>
<table role="presentation" class="canvas" lang="${tag}" dir="${dir}"
width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${day.canvas}">
<tr><td class="margin" align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;${font}">
<tr><td style="padding:0 0 20px">!${brand}</td></tr>
<tr><td class="card" bgcolor="${day.surface}"
style="padding:36px 36px 20px;border:1px solid ${day.line};border-radius:16px;background:${day.surface}"
>!${body}</td></tr>
<tr><td style="padding:20px 0 0">!${footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

/** Name and sign of the sender. Without `href`, they lead nowhere. */
export const brand = (
  name: string,
  href: string | undefined,
  dir: Direction,
) => html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td valign="middle"><span class="mark"
style="display:inline-block;${mailSign};background:${day.mark}"></span></td>
<td class="ink" valign="middle"
style="padding:${dir === 'rtl' ? '0 10px 0 0' : '0 0 0 10px'};${brandFont};color:${day.ink};${wrap}"
>!${href ? linkedName(name, href) : html`${name}`}</td>
</tr></table>`

const linkedName = (name: string, href: string) =>
  html`<a class="ink" href="!${href}" style="color:${day.ink};text-decoration:none">${name}</a>`

export const heading = (words: string) =>
  html`<h1 class="ink"
style="margin:0 0 20px;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.02em;color:${day.ink};${wrap}"
>${words}</h1>`

export const paragraph = (words: string) =>
  html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:26px;color:${day.ink};${wrap}">${words}</p>`

/** What people type. Screen readers say its digits one by one. */
export const code = (digits: string) =>
  html`<p class="ink" dir="ltr" aria-label="${[...digits].join(' ')}"
style="margin:4px 0 22px;font-size:34px;line-height:42px;font-weight:600;letter-spacing:0.12em;text-align:center;
font-variant-numeric:tabular-nums;color:${day.ink}">${digits}</p>`

/** A table of two columns. On phones, a label is above its value, since two columns would break addresses. */
export const facts = (rows: { label: string; value: string }[], dir: Direction) => {
  const gap = dir === 'rtl' ? '0 0 6px 20px' : '0 20px 6px 0'
  const cell = `font-size:15px;line-height:22px;text-align:${dir === 'rtl' ? 'right' : 'left'};${wrap}`
  const row = ({ label, value }: (typeof rows)[number]) => html`<tr>
<th class="muted fact" scope="row" 
style="${cell};padding:${gap};vertical-align:top;font-weight:400;color:${day.muted}">${label}</th>
<td class="ink fact" style="${cell};padding:0 0 6px;color:${day.ink}">${value}</td></tr>`
  return html`<table cellpadding="0" cellspacing="0" border="0"
style="margin:0 0 18px">!${rows.map(row).join('\n')}</table>`
}

/** A button, with the URL below it for people who want to check or copy it. */
export const action = (label: string, href: string, orCopy: string) => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 24px"><tr>
<td class="button" align="center" bgcolor="${day.accent}" style="border-radius:10px;background:${day.accent}">
<a href="!${href}"
style="display:inline-block;padding:13px 24px;font-size:16px;line-height:22px;font-weight:600;${unlined}"
>${label}</a>
</td>
</tr></table>
<p class="muted" style="margin:0 0 16px;font-size:13px;line-height:20px;color:${day.muted}">
${orCopy}<br>
<a class="link" dir="ltr" href="!${href}" style="color:${day.accent};word-break:break-all">!${href}</a></p>`

export const footnote = (words: string) =>
  html`<p class="muted" style="margin:0 0 6px;font-size:13px;line-height:20px;color:${day.muted};${wrap}">${words}</p>`

/** A link that stands back behind everything else. */
export const secondaryAction = (label: string, href: string) =>
  html`<p class="muted" style="margin:14px 0 6px;font-size:13px;line-height:20px;color:${day.muted};${wrap}">
<a class="muted" href="!${href}" style="color:${day.muted};text-decoration:underline">${label}</a></p>`

/** The operator's own pages. */
export const links = (all: { label: string; href: string }[]) =>
  all.length === 0
    ? ''
    : html`<p class="muted" style="margin:14px 0 6px;font-size:13px;line-height:20px;color:${day.muted}">!${all
        .map(({ label, href }) => html`<a class="muted" href="!${href}" style="color:${day.muted}">${label}</a>`)
        .join(' · ')}</p>`

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const brandFont = 'font-size:17px;line-height:24px;font-weight:600;letter-spacing:-0.01em'
const wrap = 'overflow-wrap:anywhere;word-break:break-word'
const unlined = `color:${day['on-accent']};text-decoration:none;${wrap}`

const styleSheet = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) {
    .margin { padding: 24px 12px !important; }
    .card { padding: 26px 22px 10px !important; }
    .fact { display: block !important; }
    th.fact { padding: 0 !important; }
    td.fact { padding: 0 0 10px !important; }
  }
  @media (prefers-color-scheme: dark) {
    .canvas { background: ${night.canvas} !important; }
    .card { background: ${night.surface} !important; border-color: ${night.line} !important; }
    .ink, .ink a { color: ${night.ink} !important; }
    .muted { color: ${night.muted} !important; }
    .link { color: ${night.accent} !important; }
    .mark { background: ${night.mark} !important; }
    .button { background: ${night.accent} !important; }
    .button a { color: ${night['on-accent']} !important; }
  }
`
