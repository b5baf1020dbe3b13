import { text } from '../plugins/languages/text.ts'
import { type Speech, translate } from '../plugins/languages/translate.ts'

// Runs in the head of every document, before the first paint and before any bundle.

const theme =
  "try{const t=localStorage.getItem('theme');" +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

/**
 * A document that the browser kept may be from before a deployment, or private although nobody is signed in any more.
 * So when someone goes back to it, it stays blank until the server has sent it anew.
 */
const renew = `(function(n){if(!n||n.type!=='back_forward'||n.transferSize)return
document.documentElement.hidden=true;location.reload()})(performance.getEntriesByType('navigation')[0])`

/**
 * Until the bundle has started, a form would be sent without its CSRF token, and a button does nothing: says so once,
 * above the page so that nothing moves.
 */
const hearIn = (speech: Speech) => `function hear(e){var d=document,b=e.target.closest('button[type],form')
if(window.isStarted||!b||(b.tagName==='FORM'?e.type==='click'||b.method==='get':b.type==='submit'))return
e.preventDefault();if(d.querySelector('.starting'))return
var p=d.createElement('p');p.className='starting';p.setAttribute('role','status')
p.textContent=${quoted(speech, starting)};d.body.append(p);setTimeout(function(){p.remove()},4000)}
addEventListener('submit',hear,true);addEventListener('click',hear,true)`

const starting = text('This page is still loading. Try again in a moment.')

/**
 * If a bundle fails to load, the page does nothing. During a deployment the next document may name files that are
 * there, so this reloads the page, at most once a minute. Otherwise it says so and offers a reload.
 */
const watchIn = (speech: Speech) => `var reloading;window.showIncomplete=function(){if(reloading)return
try{var s=sessionStorage;if(navigator.onLine&&Date.now()-(s.reloadedAt||0)>60000){
s.reloadedAt=Date.now();reloading=1;return location.reload()}}catch{}
var d=document,show=function(){if(d.getElementById('unloaded'))return
var p=d.createElement('div'),b=d.createElement('button')
p.id='unloaded';p.className='unloaded';p.setAttribute('role','alert')
p.textContent=${quoted(speech, incomplete)}+' '
b.type='button';b.textContent=${quoted(speech, reload)}
b.onclick=function(){location.reload()};p.append(b);d.body.prepend(p)}
if(d.body)show();else addEventListener('DOMContentLoaded',show)}
addEventListener('error',function(e){var t=e.target
if(t&&(t.tagName==='SCRIPT'?t.src:t.rel==='stylesheet'&&t.href||'').indexOf(location.origin+'/assets/')===0)
showIncomplete()},true)`

const incomplete = text('This page could not be loaded completely.')
const reload = text('Reload')

// `<` could end the script.
const quoted = (speech: Speech, { text }: { text: string }) =>
  JSON.stringify(translate(speech, text)).replaceAll('<', '\\u003c')

export const firstScriptIn = (speech: Speech) => `${renew};${theme};${watchIn(speech)};${hearIn(speech)}`
