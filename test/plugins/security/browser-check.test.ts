import t from 'tap'
import { isSupported } from '../../../plugins/security/browser-check.ts'
import { sharedApp } from '../../helpers/app.ts'

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const chrome = (version: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/${version} Safari/537.36`
const android = (version: string) =>
  `Mozilla/5.0 (Linux; Android 14; wv) ${engine} Chrome/${version} Mobile Safari/537.36`
const edge = (version: string) => `${chrome(version)} Edg/${version}`
const opera = (version: string) => `${chrome('129.0.0.0')} OPR/${version}`
const firefox = (version: string) => `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/${version}`
const apple = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
const safari = (version: string) => apple('Macintosh; Intel Mac OS X 10_15_7', `Version/${version} Safari/604.1`)
const iPhone = (system: string, rest = '') =>
  apple(`iPhone; CPU iPhone OS ${system} like Mac OS X`, `${rest} Mobile/15E148 Safari/604.1`)

const groups: Record<string, { pass?: string[]; refused?: string[] }> = {
  'Chrome from 120': {
    pass: ['120.0.0.0', '120.0.6099.43', '131.0.0.0', '140.0.0.0'].flatMap((each) => [chrome(each), android(each)]),
    refused: ['119.0.6045.199', '110.0.5481.153', '100.0.4896.127'].flatMap((each) => [chrome(each), android(each)]),
  },
  'Edge on the engine of Chrome, and iOS Chrome, as Chrome': {
    pass: [edge('131.0.2903.86'), `${android('124.0.0.0')} EdgA/124.0.2478.64`, iPhone('16_7', 'CriOS/121.0.6167.66')],
    refused: [edge('109.0.1518.140'), iPhone('17_4', 'CriOS/119.0.6045.109')],
  },
  'Firefox from 121': {
    pass: [...['121.0', '133.0'].map(firefox), 'Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0'],
    refused: [...['115.0', '120.0b9', '121.0b9'].map(firefox), 'Firefox/50.0'],
  },
  'Safari from 17.2': {
    pass: [
      ...['17.2', '18.1.1'].map(safari),
      ...[iPhone('17_4_1', 'Version/17.4.1'), iPhone('18_6', 'Version/26.0'), iPhone('18_1', 'FxiOS/133.0')],
      ...[iPhone('17_2_1'), `${iPhone('17_5')} [FBAN/FBIOS;FBAV/470.0]`],
    ],
    refused: [
      ...[safari('17.1.2'), iPhone('16_6', 'Version/16.6'), iPhone('16_7_2')],
      apple('iPad; CPU OS 17_0 like Mac OS X', 'Version/17.0 Mobile/15E148 Safari/604.1'),
      'Mozilla/5.0 (Macintosh; U; PPC Mac OS X; en) AppleWebKit/419 (KHTML, like Gecko) Safari/419.3',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_7_2) AppleWebKit/534.52.7 (KHTML, like Gecko)',
    ],
  },
  'Opera from 106': {
    pass: ['115.0.0.0', '106.0.0.0'].map(opera),
    refused: [
      opera('100.0.0.0'),
      'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18',
      'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
      'Opera/9.27 (Windows NT 5.1; U; en)',
    ],
  },
  'no Internet Explorer': {
    refused: [
      'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)',
      'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
      'Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch)',
    ],
  },
  'browsers that the specification does not name': {
    pass: [
      `${chrome('64.0.3282.140')} Edge/18.17763`,
      ...['Vivaldi/5.5.2805.50', 'Iron/106.0.5400.0'].map((name) => `${chrome('106.0.5249.119')} ${name}`),
      `${android('57.0.2987.132 MQQBrowser/6.2')} MicroMessenger/6.6.6.1300(0x26060638) NetType/WIFI Language/zh_CN`,
      ...['PaleMoon/29.1.0', 'SeaMonkey/2.53.18'].map((name) => `${firefox('68.0')} ${name}`),
      'Mozilla/5.0 (Linux; U; Android 4.0.3; de-de) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Safari/534.30',
      'Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+',
      'Mozilla/5.0 (BlackBerry; U; BlackBerry 9900; en) AppleWebKit/534.11+ (KHTML, like Gecko) Version/7.1.0.346',
      'Mozilla/5.0 (PlayBook; U; RIM Tablet OS 2.1.0; en-US) AppleWebKit/536.2+ (KHTML, like Gecko) Version/7.2.1.0',
      'Mozilla/5.0 (PlayStation 4 3.11) AppleWebKit/537.73 (KHTML, like Gecko)',
      apple('PlayStation; PlayStation 5/2.26', 'Version/13.0 Safari/605.1.15'),
    ],
  },
  'players and tools': {
    pass: [
      'iTunes/10.6.1 (Macintosh; Intel Mac OS X 10.7.3) AppleWebKit/534.53.11',
      'AppleCoreMedia/1.0.0.12B466 (Apple TV; U; CPU OS 8_1_3 like Mac OS X; en_us)',
      ...['Windows-Media-Player/12.0.7601.17514', 'Lavf/58.29.100', 'VLC/3.0.18 LibVLC/3.0.18', 'okhttp/4.12.0'],
      ...['curl/8.7.1', 'Wget/1.21.4', 'python-requests/2.32.3', 'Mozilla/5.0', 'Chrome/100', 'Safari/100', '', '   '],
    ],
  },
  crawlers: {
    pass: [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      `${android('99.0.4844.84')} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
      `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/103.0.5060.134 Safari/537.36`,
      `${iPhone('8_1', 'Version/8.0')} (compatible; YandexBot/3.0; +http://yandex.com/bots)`,
      `${android('98.0.4695.0')} Chrome-Lighthouse`,
      `Mozilla/5.0 (X11; Linux x86_64) ${engine} HeadlessChrome/90.0.4430.72 Safari/537.36`,
      ...['Baiduspider', 'Yahoo! Slurp', 'a crawler', '+https://a.example'].map(
        (name) => `${chrome('90.0')} (${name})`,
      ),
    ],
  },
  'versions read as numbers, and what is no number as too old': {
    pass: [...['', '120.0.0.0.0.0.1'].map(chrome), `"${firefox('121')}"`],
    refused: [...['abc', 'a.120', '120.a', '120-beta', '119.9999'].map(chrome), `"${chrome('100.0.0.0')}"`],
  },
}

for (const [name, { pass = [], refused = [] }] of Object.entries(groups)) {
  t.test(`the browser check knows ${name}`, async (t) => {
    for (const agent of pass) t.equal(isSupported(agent), true, `${agent} passes`)
    for (const agent of refused) t.equal(isSupported(agent), false, `${agent} is refused`)
  })
}

t.test('an outdated browser gets the 406 page everywhere, except health checks and public files', async (t) => {
  const { app } = await sharedApp(t)
  const page = (await app.inject('/406-unsupported-browser.html')).body
  const headers = { 'user-agent': groups['no Internet Explorer']?.refused?.[1] ?? '', accept: 'application/json' }
  for (const url of ['/', '/sign_in', '/dashboard']) {
    const refused = await app.inject({ url, headers })
    t.same([refused.statusCode, refused.body], [406, page], url)
    t.match(refused.headers['content-type'], 'text/html')
  }
  for (const url of ['/up', '/robots.txt']) t.equal((await app.inject({ url, headers })).statusCode, 200, url)
  t.equal((await app.inject({ url: '/sign_in', headers: { 'user-agent': 'Googlebot/2.1' } })).statusCode, 200)
  t.equal(isSupported(undefined), true, 'and so does a client that names itself not at all')
})
