import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Messages } from '../../plugins/forms/flash.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { ChallengeBody, challengeFields, OptionalText } from '../../plugins/forms/parameters.ts'
import { optional } from '../../plugins/inertia/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { previewUserDeletion } from '../accounts/user-deletion.ts'
import { newPasswordMessages } from '../auth/checks.ts'
import { deviceOf, rememberDevice } from '../auth/device.ts'
import { reauthenticateSession, requireVerified } from '../auth/reauthentication/index.ts'
import { queuePasswordReset } from '../auth/sign-up.ts'
import { deleteUser } from '../auth/user-deletion.ts'
import { checkedRoute, formRoute, profileChecksBudget } from '../forms.ts'
import { paths } from '../paths.ts'
import { changeEmail, changePassword, checkNewEmail, checkProfile, updateProfile } from './changes.ts'

const ProfileBody = Type.Object({ name: OptionalText })
const EmailBody = Type.Object({ email: OptionalText, ...challengeFields })
const PasswordBody = Type.Object({
  password: OptionalText,
  password_confirmation: OptionalText,
  ...challengeFields,
})

export const changeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const profile = paths.profile().url
  app.get(profile, { config: { reauthenticates: true } }, (request, reply) =>
    reply.page('settings/profile', {
      departure: optional(() => previewUserDeletion(app.db, request.signedIn.user.id)),
    }),
  )
  const renaming = checkedRoute(profile, profileChecksBudget, { body: ProfileBody })
  app.patch(paths.updateProfile().url, renaming, async (request, reply) => {
    const name = checkProfile(request.body)
    if (request.precognitive) return reply.valid()

    if (name !== undefined) await updateProfile(app.db, request.signedIn.session, name)
    return reply.notice(text('Your profile has been updated')).redirect(profile)
  })

  const email = paths.email().url
  app.get(email, { config: { reauthenticates: true } }, (_request, reply) => reply.page('settings/email', {}))
  const changingEmail = checkedRoute(email, 'email_change', { body: EmailBody })
  app.patch(paths.changeEmail().url, changingEmail, async (request, reply) => {
    const checked = await checkNewEmail(app.db, request.signedIn.user, request.body)
    const reauthenticated = await reauthenticateSession(request, checked.errors)
    if (request.precognitive) return reply.valid()

    if (await changeEmail(app, reauthenticated, checked.email)) reply.notice(text('Your email has been changed'))
    return reply.redirect(email)
  })

  const password = paths.password().url
  app.get(password, { config: { reauthenticates: true } }, (_request, reply) => reply.page('settings/password', {}))
  const changingPassword = checkedRoute(password, 'password_change', { body: PasswordBody })
  app.patch(paths.changePassword().url, changingPassword, async (request, reply) => {
    const { password: newPassword } = request.body
    // Null, missing or empty means no change.
    const errors = newPassword ? newPasswordMessages(app, request.body, request.signedIn.user) : {}
    const reauthenticated = await reauthenticateSession(request, errors)
    if (request.precognitive) return reply.valid()

    const changed = await changePassword(app, reauthenticated, newPassword)
    if (changed) {
      request.security('session', 'ended')
      rememberDevice(reply, changed.user).setSession(changed.token)
    }
    return reply.notice(text('Your password has been changed')).redirect(password)
  })
  app.post(paths.mailPasswordLink().url, formRoute(password, 'password_link'), async (request, reply) => {
    const { email } = requireVerified(request.signedIn.user)
    await app.db.transaction((tx) => queuePasswordReset(app, tx, email, deviceOf(request)))
    request.security('password_reset', 'requested')
    return reply.notice(text('We sent you a link to set a password')).redirect(password)
  })

  const deletion = formRoute(profile, 'user_deletion', { body: ChallengeBody })
  app.delete(paths.deleteUser().url, deletion, async (request, reply) => {
    try {
      await deleteUser(app, await reauthenticateSession(request))
    } catch (error) {
      throw error instanceof Invalid ? new Invalid(withFieldName(error.errors)) : error
    }
    request.security('session', 'ended')
    return reply
      .clearSession()
      .flash({ notice: text('Your account has been deleted'), clearHistory: true })
      .redirect(paths.home().url)
  })
}

/** The specified message for a wrong password is another one here. */
const withFieldName = ({ password_challenge, ...others }: Messages): Messages =>
  password_challenge ? { ...others, password_challenge: [text('Password challenge is invalid')] } : others
