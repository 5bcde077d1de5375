import { Failure } from '@filmgate/kit/failure'
import { keepHolder } from '@filmgate/kit/operator/holder'
import { refuseOtherName } from '@filmgate/kit/operator/operator-name'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import type { FindOperator } from './find-operator'

/** Plugin for all routes of the operator API. Routes declare their role with kit's `needsRole`. */
export const requireOperatorToken = (findOperator: FindOperator) =>
  new Elysia().derive({ as: 'scoped' }, async function checkToken({ headers, request }) {
    const token = headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1]
    const operator = token && (await findOperator(token))
    if (!operator) throw new Failure<Reason>('operator_token_required')
    keepHolder(request, operator)
    refuseOtherName(request)
    return {}
  })
