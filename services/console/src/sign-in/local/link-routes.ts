import { randomBytes } from 'node:crypto'
import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import { answerPage, seeOther } from '../../layout/answer-page'
import { findPersonByEmail } from '../../people/person-repository'
import type { SignInDeps } from '../deps'
import { linkEndedPage } from '../link-pages'
import { signInAs } from '../sign-in-as'
import { ensureLocalPerson } from './ensure-local-person'

export type LinkDeps = SignInDeps & { signInLinks?: boolean; consoleToken: string }

const linkBody = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  account_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  account_name: Type.String({ minLength: 1, maxLength: 100 }),
})

const linkMs = 600_000

/**
 * Only in development: the holder of the console's token creates a link that signs in the owner of an existing account.
 * The link works once, for ten minutes.
 */
export const linkRoutes = (deps: LinkDeps) => {
  if (!deps.signInLinks) return new Elysia({ name: 'sign-in-links', normalize: false })
  return new Elysia({ name: 'sign-in-links', normalize: false })
    .get('/sign-in/link', async function getLink({ request, set }) {
      const { internalAdapter } = await deps.auth.$context
      const token = new URL(request.url).searchParams.get('token') ?? ''
      const waiting = await internalAdapter.consumeVerificationValue(identifierOf(token))
      const person = waiting && waiting.expiresAt > new Date() ? await findPersonByEmail(deps.sql, waiting.value) : undefined
      if (!person) return answerPage(set, linkEndedPage(), 410)
      await signInAs(deps, { request, set, personId: person.id, by: 'link' })
      return seeOther(set, '/')
    })
    .use(
      new Elysia({ normalize: false }).use(requireBearer([deps.consoleToken], () => new Failure<Reason>('not_found'))).post(
        '/sign-in/links',
        async function postLink({ request }) {
          const body = await readJsonAs(linkBody, request)
          await ensureLocalPerson(deps, body)
          const token = randomBytes(24).toString('base64url')
          const { internalAdapter } = await deps.auth.$context
          const expiresAt = new Date(deps.now().getTime() + linkMs)
          await internalAdapter.createVerificationValue({ identifier: identifierOf(token), value: body.email, expiresAt })
          return { url: `${deps.consoleUrl}/sign-in/link?token=${token}` }
        },
        takes(linkBody),
      ),
    )
}

const identifierOf = (token: string): string => `sign-in-link:${token}`
