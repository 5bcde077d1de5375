import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { Failure } from '../failure'
import type { requestReasons } from '../request/reasons'
import { id } from '../request/text'
import { keepHolder } from './holder'
import { refuseOtherName } from './operator-name'
import type { Operators } from './operators'

type Reason = keyof typeof requestReasons

/**
 * Before every route of operators: their token (401), the name beside it (403), then the ids in the path (400): what is none names nothing,
 * and no row could hold all of it. What a route does declares the role that it needs by `needsRole`. `refused` hears of a wrong token first, and
 * may refuse whoever tries too many.
 */
export const operatorAuth = (operators: Operators, refused: (request: Request) => void = () => {}) =>
  new Elysia()
    // In `derive`, because it has to come before anything is read of the body.
    .derive({ as: 'scoped' }, function checkToken({ headers, request }) {
      const token = headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1] ?? ''
      const operator = operators.find(token)
      if (!operator) {
        refused(request)
        throw new Failure<Reason>('operator_token_required', token ? { message: 'This operator token is not valid.' } : {})
      }
      keepHolder(request, operator)
      refuseOtherName(request)
      return {}
    })
    .derive({ as: 'scoped' }, function checkPath({ params }) {
      const faulty = Object.entries(params ?? {}).filter(([, value]) => !Value.Check(id, value))
      if (faulty.length === 0) return {}
      const issues = faulty.map(([path]) => ({ path, rule: 'id', message: `${path} must have from 1 to 200 printable ASCII characters` }))
      throw new Failure<Reason>('invalid_request', { details: { issues } })
    })
