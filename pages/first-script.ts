/** Runs in the head of every document, before the first paint and before any bundle. */

/** Avoids a flash of the wrong theme. The error pages do the same in pages/public/theme.js. */
const theme =
  "try{const t=localStorage.getItem('theme');" +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

/** If a bundle fails to load, the page does nothing. This says so and offers a reload. */
const watch = `addEventListener('error',function(e){
var s=e.target;if(!s||s.tagName!=='SCRIPT'||document.getElementById('unloaded'))return
var d=document,say=function(){var p=d.createElement('div'),b=d.createElement('button')
p.id='unloaded';p.className='unloaded';p.setAttribute('role','alert')
p.textContent='This page could not be loaded completely. '
b.type='button';b.textContent='Reload';b.onclick=function(){location.reload()};p.append(b);d.body.prepend(p)}
if(d.body)say();else addEventListener('DOMContentLoaded',say)},true)`

/** Notes what was pressed before React listens, and shows that it was. visits/early-press.tsx presses it again. */
const note = `(function(){var d=document.documentElement,pressed
function note(e){var p=e.target.closest('#app button,#app [type=radio]');if(p){pressed=p;d.dataset.pressed=''}}
addEventListener('click',note,true)
window.takePress=function(){removeEventListener('click',note,true);delete d.dataset.pressed;return pressed}})()`

export const firstScript = `${theme};${watch};${note}`
