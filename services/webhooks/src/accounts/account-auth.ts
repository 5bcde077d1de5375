import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { id } from '@filmgate/kit/request/text'
import { Value } from '@sinclair/typebox/value'
import type { Reason } from '../errors'

/** Before every route of accounts: the gateway's token, then ids that a row can hold. The gateway has checked whose account it is. */
export const accountAuth = (tokens: Secrets) =>
  requireBearer(tokens, () => new Failure<Reason>('token_required')).derive({ as: 'scoped' }, function checkPath({ params = {} }) {
    if (!Object.values(params).every(value => Value.Check(id, value))) throw new Failure<Reason>('not_found')
    return {}
  })
