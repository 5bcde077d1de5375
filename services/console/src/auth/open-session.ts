import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'

/**
 * A server-only better-auth endpoint. It signs in a person who has already been authenticated by a link from their
 * mailbox.
 */
export const openSession = () => ({
  id: 'open-session' as const,
  endpoints: {
    openSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async ctx => {
      const personId = ctx.headers?.get(personHeader) ?? ''
      const user = await ctx.context.internalAdapter.findUserById(personId)
      if (!user) throw new Error('person not found')
      const session = await ctx.context.internalAdapter.createSession(user.id, false, { openedBy: 'link' })
      await setSessionCookie(ctx, { session, user })
      return ctx.json({ sessionId: session.id })
    }),
  },
})

/** Only the console sets this header: a server-only endpoint has no request of its own. */
export const personHeader = 'x-filmgate-signs-in'
