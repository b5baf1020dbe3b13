/** Runs in the head of every document, before the first paint: a page that changes its colours while one looks at it hurts. */
export const themeScript =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"
