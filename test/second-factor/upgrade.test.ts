import t from 'tap'
import { prepareDatabases } from '../../server/prepare.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password } from '../helpers/people.ts'
import { codeAt, methodOf, startOver } from '../helpers/second-factor.ts'
import { databaseOf030 } from '../helpers/versions.ts'

/** What 0.3.0 gave Hal: an app's secret, a recovery code, and cookies of browsers. */
const secret = 'PHXCNBEJUX7DNH5YPMR7ISDHTNYAE2CA'
const recoveryCode = 'KK2HL6FDU6XX7JNS'
const trusting = {
  csrf_secret: '626273d0-fef9-4900-bfd5-7176449653c5.+UltL0vL8QgwIaK2uaSs7cCoNcdt965n1wHwFuhzOA0',
  'XSRF-TOKEN': '7zim9OcWpiGcozLgGuxbh6BUs41gPA9TRhBDhYYIfcw',
  device: '6ea18f486341fc01b399b4513e0a979d_4-e70c91ec9f6aef0d.xU3dUZ75QTxdPw6BV/egUtwyMtagt0+6gBiq4SBsXzs',
  session_token: 'v_wqTzG_IQ1raHypi5BciTIfVSf0w5sr8BBD5YCnjJw.RC+qXA2JfwocmlEQQs/x7QQq684FgcyFE4jRpk548m4',
}
const pending = {
  csrf_secret: '4c5654c5-fa45-46c3-bbf8-3690899998ed.dlBFOFueirtRlnRYERb9ma7quH0jCFl+Rq6tLH12rcM',
  'XSRF-TOKEN': '5IUTdbN1aYr-3Hu2Yl28oPVvAKz8Rolz7DcAhYSQoEA',
  pending_sign_in:
    'eyJ1c2VyIjo0LCJleHBpcmVzIjozMzcyNzE3NjYyMTcyLCJzdGF0ZSI6IjRwLUlXQ040bUpuV3NyelNmSlYxUGEifQ.wbBr1tC02A4j5_EaywNTtz28bPtNTzPwLUAnnVkJFXs~eyJpbnZpdGF0aW9uIjoiIn0.TC8HIzt49TB52BL4jIbvXf3RyedltAiH6G31Wy01tug',
}

t.test('an app, recovery codes and a trusted browser of 0.3.0 go on, and half a sign-in begins again', async (t) => {
  const { url } = await databaseOf030(t, new URL('version-0.3.sql', import.meta.url))
  const { app, config, clock } = await startApp(t, { DATABASE_URL: url })
  await prepareDatabases(config)
  const open = (cookies: object) => {
    const browser = new Browser(app)
    for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
    return browser
  }
  const signIn = (browser: Browser) => browser.submit('POST', '/sign_in', { email: 'hal@example.com', password })

  const trusted = open(trusting)
  t.equal(await methodOf(trusted), 'password_and_code')
  await trusted.submit('DELETE', `/sessions/${trusting.session_token.split('.')[0]}`)
  t.equal((await signIn(trusted)).url, '/hal')
  t.equal(await methodOf(trusted), 'password_and_trusted_browser')

  const halfway = open(pending)
  t.same((await halfway.submit('POST', '/sign_in/verify', { code: '123456' })).flash, startOver)
  await signIn(halfway)
  t.equal((await halfway.submit('POST', '/sign_in/verify', { code: await codeAt(secret, clock.now()) })).url, '/hal')
  const elsewhere = await Browser.open(app)
  t.equal((await signIn(elsewhere)).component, 'auth/second-factor')
  t.equal((await elsewhere.submit('POST', '/sign_in/verify', { code: recoveryCode })).url, '/hal')
})
