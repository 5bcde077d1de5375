import { Value } from '@sinclair/typebox/value'
import { Failure } from '../failure'
import type { requestReasons } from '../request/reasons'
import { requireBearer } from '../request/require-bearer'
import { id } from '../request/text'

type Reason = keyof typeof requestReasons

/**
 * Before every route of operators: their token (401), then the ids in the path (400): what is none names nothing, and no row could
 * hold all of it. `refused` hears of a wrong token first, and may refuse whoever tries too many.
 */
export const operatorDoor = (token: string, refused: (request: Request) => void = () => {}) =>
  requireBearer(token, request => {
    refused(request)
    return new Failure<Reason>('operator_token_required')
  }).derive({ as: 'scoped' }, function checkPath({ params }) {
    const faulty = Object.entries(params ?? {}).filter(([, value]) => !Value.Check(id, value))
    if (faulty.length === 0) return {}
    const issues = faulty.map(([path]) => ({ path, rule: 'id', message: `${path} must have from 1 to 200 printable ASCII characters` }))
    throw new Failure<Reason>('invalid_request', { details: { issues } })
  })
