import type { FastifyReply } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { paths } from '../paths.ts'
import type { createOrClaimUser } from './users.ts'

type SignedUp = Awaited<ReturnType<typeof createOrClaimUser>>

/** Completes every successful sign-up. */
export const completeSignUp = (reply: FastifyReply, { user, account, session }: SignedUp) =>
  reply
    .setSession(session.token)
    .rememberDevice(user)
    .notice(text('Welcome! You have signed up successfully'))
    .redirect((account ? paths.account(account.slug) : paths.newAccount()).url)

export const refuseStranger = (reply: FastifyReply, appName: string) =>
  reply
    .alert(text('{appName} is invitation only. Ask an admin to invite you', { appName }))
    .redirect(paths.signIn().url)
