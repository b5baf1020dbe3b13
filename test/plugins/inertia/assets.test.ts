import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readAssets } from '../../../plugins/inertia/index.ts'

const manifest = {
  'pages/main.tsx': {
    file: 'main-1.js',
    src: 'pages/main.tsx',
    isEntry: true,
    imports: ['_react.js'],
    dynamicImports: ['pages/auth/sign-in.page.tsx', 'pages/home/index.page.tsx'],
    css: ['main-1.css'],
  },
  'pages/auth/sign-in.page.tsx': {
    file: 'sign-in-1.js',
    imports: ['_form.js', 'pages/main.tsx'],
    css: ['sign-in-1.css'],
  },
  'pages/home/index.page.tsx': { file: 'home-1.js', imports: ['pages/main.tsx'] },
  '_react.js': { file: 'react-1.js' },
  '_form.js': { file: 'form-1.js', imports: ['_react.js', '_loop.js'], css: ['form-1.css'] },
  '_loop.js': { file: 'loop-1.js', imports: ['_form.js'] },
}

const build = (t: { testdir(): string }, content: object) => {
  const folder = t.testdir()
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(content))
  return readAssets({ folder, entry: 'pages/main.tsx', prefix: '/assets/' })
}

t.test('a page preloads what it imports, then runs the entry, then has the styles', async (t) => {
  t.equal(
    build(t, manifest).tags('auth/sign-in'),
    '<link rel="modulepreload" fetchpriority="low" href="/assets/react-1.js">' +
      '<link rel="modulepreload" fetchpriority="low" href="/assets/sign-in-1.js">' +
      '<link rel="modulepreload" fetchpriority="low" href="/assets/form-1.js">' +
      '<link rel="modulepreload" fetchpriority="low" href="/assets/loop-1.js">' +
      '<script type="module" fetchpriority="low" src="/assets/main-1.js"></script>' +
      '<link rel="stylesheet" href="/assets/main-1.css">' +
      '<link rel="stylesheet" href="/assets/sign-in-1.css">' +
      '<link rel="stylesheet" href="/assets/form-1.css">',
  )
})

t.test('stylesheets and the first typeface are requested early', async (t) => {
  const { early } = build(t, {
    ...manifest,
    'node_modules/sans/files/sans-latin.woff2': {
      file: 'latin-1.woff2',
      src: 'node_modules/sans/files/sans-latin.woff2',
    },
    'node_modules/sans/files/sans-latin-ext-1.woff2': {
      file: 'ext-1.woff2',
      src: 'node_modules/sans/files/sans-latin-ext-1.woff2',
    },
  })
  t.equal(
    early,
    '</assets/main-1.css>; rel=preload; as=style, ' +
      '</assets/latin-1.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin',
  )
})

t.test('a page loads nothing of another', async (t) => {
  const { tags } = build(t, manifest)
  tags('auth/sign-in')
  t.equal(
    tags('home/index'),
    '<link rel="modulepreload" fetchpriority="low" href="/assets/react-1.js">' +
      '<link rel="modulepreload" fetchpriority="low" href="/assets/home-1.js">' +
      '<script type="module" fetchpriority="low" src="/assets/main-1.js"></script>' +
      '<link rel="stylesheet" href="/assets/main-1.css">',
  )
})

t.test('one stylesheet for all pages is found where such a build names it', async (t) => {
  const { tags } = build(t, {
    'pages/main.tsx': { file: 'main-1.js' },
    'style.css': { file: 'style-1.css', src: 'style.css' },
  })
  t.equal(
    tags('home/index'),
    '<script type="module" fetchpriority="low" src="/assets/main-1.js"></script>' +
      '<link rel="stylesheet" href="/assets/style-1.css">',
  )
})

t.test('the version follows the content of the build', async (t) => {
  const version = build(t, manifest).version
  t.match(version, /^[\w-]{16}$/)
  t.equal(build(t, manifest).version, version)
  t.not(build(t, { ...manifest, '_new.js': { file: 'new-1.js' } }).version, version)
})

t.test('a missing build is an error, and so is one of another project', async (t) => {
  t.throws(() => build(t, { 'other.ts': { file: 'other-1.js' } }), /has no entry pages\/main.tsx$/)
  t.throws(() => readAssets({ folder: t.testdir(), entry: 'pages/main.tsx', prefix: '/' }), { code: 'ENOENT' })
})
