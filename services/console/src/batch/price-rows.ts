import type { MemberContext } from '../accounts/require-member'
import type { Gateway, GatewayResult } from '../gateway/gateway'
import { number } from '../layout/numbers'
import { lengthMax } from '../models/model'
import { estimate } from '../playground/estimate'
import { buildRequest } from '../playground/form/build-request'
import { type Estimate, fieldIssues } from '../playground/price'
import type { ModelSelection } from '../playground/select-model'
import type { BatchRow } from './read-rows'

/** How many different settings a batch may have: each is one question to the gateway. */
export const settingsMax = 10

/** `credits` is there unless the row has an issue. */
export type PricedRow = BatchRow & { credits?: number }
/** `balances`: any of the estimates. `issue`: why nothing was priced. */
export type PricedRows = { rows: PricedRow[]; balances?: Estimate; issue?: string }

type Context = Pick<MemberContext, 'person' | 'member'>

/** The price of each row. Rows that differ in their prompts alone are asked for once. */
export async function priceRows(
  deps: { gateway: Gateway },
  context: Context,
  { model, modeName, mode }: ModelSelection,
  read: BatchRow[],
): Promise<PricedRows> {
  const promptMax = lengthMax(model, 'prompt') ?? Number.POSITIVE_INFINITY
  const rows = read.map(row => {
    const length = [...(row.values.prompt ?? '')].length
    return length > promptMax
      ? { ...row, issue: `The prompt has ${number(length)} characters, and the model takes ${number(promptMax)}.` }
      : row
  })
  const settingsOf = ({ values }: BatchRow) => JSON.stringify(buildRequest(model.id, modeName, mode, { ...values, prompt: '' }))
  const groups = Map.groupBy(
    rows.filter(({ issue }) => issue === undefined),
    settingsOf,
  )
  if (groups.size > settingsMax)
    return { rows, issue: `The rows have ${groups.size} different settings. A batch has at most ${settingsMax}: split it.` }
  const answers = new Map(
    await Promise.all(
      [...groups].map(async ([settings, [first]]) => {
        const { answer } = await estimate(deps, context, { model, modeName, mode, values: { ...first?.values, prompt: '' } })
        return [settings, answer] as const
      }),
    ),
  )
  const priced = rows.map(row => {
    const answer = row.issue === undefined ? answers.get(settingsOf(row)) : undefined
    return answer ? { ...row, ...priceOf(answer) } : row
  })
  const [balances] = [...answers.values()].flatMap(answer => (answer.ok ? [answer.value] : []))
  return { rows: priced, ...(balances && { balances }) }
}

function priceOf(answer: GatewayResult<Estimate>): Pick<PricedRow, 'credits' | 'issue'> {
  if (!answer.ok) return { issue: Object.values(fieldIssues(answer))[0] ?? answer.message }
  if (!answer.value.available) return { issue: 'This model is not available now.' }
  return answer.value.within_max_credits ? { credits: answer.value.credits } : { issue: 'The price is above max_credits.' }
}
