/** A body that is hard to read. */
type Costly = { what: string; payload: string; type: string }

/** `unit` as often as it fits. */
const run = (unit: string, bytes: number) => unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))))

// Texts that are long to normalize, measure, decode or compare.
const texts: Record<string, string> = {
  plain: 'a',
  'dotted capitals': 'İ',
  'white space': ' ',
  'no-break spaces': '\u00a0',
  'line feeds': '\n',
  emoji: '😀',
  accents: 'a\u0301',
  ligatures: 'ﷺ',
  dots: '.',
  'at signs': '@',
  'short labels': 'a.',
  hyphens: '-',
  quotes: '"',
  backslashes: '\\',
  controls: '\u0001',
  percents: '%',
  invisible: '\u200b',
  ideographs: '漢',
  halves: '\ud800',
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

/** Structures that are long to parse, to compare or to serialize. */
const values: Record<string, (bytes: number) => string> = {
  'deep lists': (bytes) => run('[', bytes / 2) + run(']', bytes / 2),
  'deep objects': (bytes) => `${run('{"a":', (bytes * 5) / 6)}0${run('}', bytes / 6)}`,
  'empty objects': (bytes) => `[${run('{},', bytes)}0]`,
  'empty lists': (bytes) => `[${run('[],', bytes)}0]`,
  'empty texts': (bytes) => `[${run('"",', bytes)}0]`,
  numbers: (bytes) => `[${run('1,', bytes)}0]`,
  'names in objects': (bytes) => `[${run('{"_":0},', bytes)}0]`,
  names: (bytes) => `{${Array.from({ length: bytes / 12 }, (_, n) => `"${n}":0`).join(',')}}`,
  'one name': (bytes) => `{${run('"a":0,', bytes)}"a":0}`,
  'almost forbidden names': (bytes) => `[${run('"__proto__",', bytes)}0]`,
  digits: (bytes) => run('1', bytes),
  exponent: (bytes) => `1e${run('1', bytes)}`,
  blanks: (bytes) => `${run(' ', bytes)}0`,
  'a long name': (bytes) => `{"${run('a', bytes)}":0}`,
}

/** Bodies of this size that put something into a field. */
export function costlyBodies(field: string, others: Record<string, string>, bytes: number): Costly[] {
  const start = JSON.stringify(others).slice(0, -1)
  const before = `${start}${start === '{' ? '' : ','}`
  const room = bytes - before.length - field.length - 20
  const jsonOf = (name: string, value: string) => `${before}"${name}":${value}}`
  const encoded = new URLSearchParams(others).toString()
  const formOf = (rest: string) => `${encoded}${encoded && '&'}${rest}`
  return [
    ...Object.entries(texts).map(([what, unit]) => {
      const text = unit.repeat(room / Buffer.byteLength(JSON.stringify(unit).slice(1, -1)))
      return { what: `JSON, ${field}: ${what}`, payload: jsonOf(field, JSON.stringify(text)), type: json }
    }),
    { what: `JSON, ${field}: escaped letters`, payload: jsonOf(field, `"${run('\\u0061', room)}"`), type: json },
    ...Object.entries(values).flatMap(([what, build]) => [
      { what: `JSON, ${field}: ${what}`, payload: jsonOf(field, build(room)), type: json },
    ]),
    ...Object.entries({
      pluses: '+',
      'encoded letters': '%41',
      'encoded capitals': '%C4%B0',
      percents: '%',
      'no encoding': '%zz',
      'half an encoding': '%C4',
      'encoded NULs': '%00',
      'letters and pluses': 'a+',
      plain: 'a',
      'equals signs': '=',
    }).map(([what, unit]) => ({
      what: `form, ${field}: ${what}`,
      payload: formOf(`${field}=${run(unit, room)}`),
      type: form,
    })),
    { what: `form, ${field}: the same name`, payload: formOf(run(`${field}=a&`, room)), type: form },
    { what: 'form, names', payload: run('a&', room), type: form },
    { what: 'form, ampersands', payload: run('&', room), type: form },
    { what: 'form, 999 long values', payload: formOf(run(`${field}=${run('+', room / 1000)}&`, room)), type: form },
  ]
}

/** Forms with a file of this size that are hard to read. The first one is plain. */
export function costlyUploads(bytes: number) {
  const part = (more = '') => `--x\r\nContent-Disposition: form-data; name="other"${more}`
  const file = (content: string) => `${part('; filename="a"')}\r\n\r\n${content}\r\n--x--\r\n`
  const forms: Record<string, string> = {
    'a plain file': file(run('a', bytes)),
    'empty parts': run('--x\r\n\r\n\r\n', bytes),
    'nothing but boundaries': run('--x\r\n', bytes),
    'empty fields': run(`${part()}\r\n\r\n\r\n`, bytes),
    'empty files': run(`${part('; filename="a"')}\r\n\r\n\r\n`, bytes),
    'headers of a part': `--x\r\n${run('a: b\r\n', bytes)}`,
    'a long header': `${part()};${run('a=b;', bytes)}`,
    'a long name': `--x\r\nContent-Disposition: form-data; name="${run('%22', bytes)}"\r\n\r\n`,
    'a long field': `${part()}\r\n\r\n${run('\xf0', bytes)}\r\n--x--\r\n`,
    'beginnings of boundaries': file(run('\r\n--', bytes)),
    'line feeds': file(run('\r\n', bytes)),
    'something before the first part': run('a\r\n', bytes),
    'something after the last part': file('') + run('a\r\n', bytes),
  }
  return Object.entries(forms).map(([what, form]) => ({ what, form: Buffer.from(form, 'latin1') }))
}

/** Header fields and queries of this size that are hard to read. */
export function costlyHeads(bytes: number) {
  const many = (part: (n: number) => string, size: number) =>
    Array.from({ length: bytes / size }, (_, n) => part(n)).join('')
  const headers: [string, string][] = [
    ['cookie', many((n) => `c${n}=1; `, 10)],
    ['cookie', `x=${run('%41', bytes)}`],
    ['cookie', run('session_token=a.a; ', bytes)],
    ['cookie', `session_token=${run('a.', bytes)}`],
    ['accept', run('application/json;q=0.1,', bytes)],
    ['accept', `application/json;${run(' ', bytes)}q`],
    ['accept-encoding', run('a;q=0.1,', bytes)],
    ['user-agent', run('AppleWebKit/1 (', bytes)],
    ['user-agent', `Firefox/${run('1.', bytes)}`],
    ['x-forwarded-for', run('1.2.3.4,', bytes)],
    ['x-forwarded-for', `1${run(' ', bytes)}`],
    ['referer', `http://localhost:3000/${run('%2e%2e/', bytes)}`],
    ['origin', `http://${run('a.', bytes)}`],
    ['host', run(':', bytes)],
    ['if-none-match', run('"a",', bytes)],
    ['x-inertia-partial-data', run('a.', bytes)],
    ['x-inertia-partial-except', run('a,', bytes)],
    ['x-inertia-except-once-props', run('a,', bytes)],
    ['x-inertia-reset', run('a,', bytes)],
  ]
  const queries = {
    'many names': many((n) => `n${n}&`, 7),
    ampersands: run('&', bytes),
    brackets: run('[sid]', bytes),
    pluses: `return_to=${run('+', bytes)}`,
    'encoded letters': `invitation=${run('%41', bytes)}`,
    'a path': `return_to=/${run('%2e%2e/', bytes)}`,
  }
  return [
    ...headers.map(([name, value]) => ({ what: `${name}: ${value.slice(0, 20)}…`, headers: { [name]: value } })),
    ...Object.entries(queries).map(([what, query]) => ({ what: `a query of ${what}`, query, headers: {} })),
  ]
}
