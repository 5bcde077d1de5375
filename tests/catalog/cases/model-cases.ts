import { specifiedModels } from '../models/specified-models'
import type { Case } from './case'
import { fieldCases } from './field-cases'
import { referenceCases } from './reference-cases'
import { ruleCases } from './rule-cases'
import { subjects } from './subjects'

const prompt = 'A paper boat drifts down a rainy street'

/** Bodies whose model is the question. */
const selection: Case[] = [
  { name: 'no model is the legacy default', body: { prompt }, accepted: true, applied: { model: 'beta-2.0-fast', mode: 'text-to-video' } },
  ...['alfa-h3', 'ALPHA-H3', '', 'alpha-h3 '].map(
    (model): Case => ({
      name: `model ${JSON.stringify(model)}`,
      body: { model, prompt },
      accepted: false,
      path: 'model',
      code: 'unknown_model',
    }),
  ),
  ...[null, 3, ['alpha-h3']].map(
    (model): Case => ({
      name: `model ${JSON.stringify(model)}`,
      body: { model, prompt },
      accepted: false,
      path: 'model',
      code: 'invalid_request',
    }),
  ),
  ...specifiedModels.map(
    ({ model }): Case => ({
      name: `${model}: nothing but its name`,
      body: { model },
      accepted: false,
      path: 'prompt',
      code: 'invalid_request',
    }),
  ),
]

/** Every case of every model and mode. No body is tried twice. */
export function allCases(): Case[] {
  const cases = [...selection, ...subjects.flatMap(subject => [...fieldCases(subject), ...referenceCases(subject), ...ruleCases(subject)])]
  return [...new Map(cases.map(each => [JSON.stringify([each.body, each.accepted]), each])).values()]
}
