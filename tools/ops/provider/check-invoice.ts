import type { InvoiceLine } from './read-invoice'

/** As the dispatcher shows it; `micro_usd` is null where what it cost is not known. */
export type OwnCost = {
  attempt_id: string
  task_id: string
  model: string
  provider_task_id: string | null
  state: string
  created_at: string
  micro_usd: number | null
  basis: 'told' | 'listed' | 'nothing' | 'unknown'
}

/**
 * `not_ours`: on the invoice, and no attempt has that id. `not_on_invoice`: an attempt cost something, and the invoice lacks it. `twice_on_invoice`: its
 * lines add up to something else than it cost. `twice_here`: several attempts have that id. `unlike`: both know it, at other amounts.
 * `unknown_here`: the invoice has an amount, and we don't know one.
 */
export type Difference = {
  difference: 'not_ours' | 'not_on_invoice' | 'twice_on_invoice' | 'twice_here' | 'unlike' | 'unknown_here'
  provider_task_id: string
  attempt_id: string | null
  task_id: string | null
  invoice_micro_usd: number | null
  our_micro_usd: number | null
  basis: OwnCost['basis'] | null
}

export type InvoiceCheck = {
  lines: number
  invoice_micro_usd: number
  our_micro_usd: number
  /** Attempts whose cost we don't know and which the invoice lacks: it says that they cost nothing. */
  unknown_not_on_invoice: number
  /** Attempts that may have been billed under an id that their provider never told us. */
  without_id: number
  differences: Difference[]
}

export type InvoiceInput = {
  lines: InvoiceLine[]
  /** Also of some days before and after, so that a line at either end finds its attempt. */
  attempts: OwnCost[]
  from: string
  to: string
  /** Amounts that differ by no more are alike. */
  toleranceMicroUsd: number
}

/** Holds an invoice against what we know. Only attempts made from `from` to before `to` have to be on it. */
export function checkInvoice({ lines, attempts, from, to, toleranceMicroUsd }: InvoiceInput): InvoiceCheck {
  const byId = Map.groupBy(attempts, one => one.provider_task_id)
  const linesById = Map.groupBy(lines, one => one.providerTaskId)
  const due = attempts.filter(({ created_at: at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to))
  const absent = due.filter(({ provider_task_id: id }) => id !== null && !linesById.has(id))
  const onInvoice = [...linesById].flatMap(([id, own]) => compared(id, own, byId.get(id) ?? [], toleranceMicroUsd))
  const notOnInvoice = absent
    .filter(({ micro_usd: cost }) => cost !== null && cost > toleranceMicroUsd)
    .map(one => differenceOf('not_on_invoice', one.provider_task_id ?? '', null, one))
  return {
    lines: lines.length,
    invoice_micro_usd: sum(lines.map(({ microUsd }) => microUsd)),
    our_micro_usd: sum(due.map(({ micro_usd: cost }) => cost ?? 0)),
    unknown_not_on_invoice: absent.filter(({ micro_usd: cost }) => cost === null).length,
    without_id: due.filter(({ provider_task_id: id, basis }) => id === null && basis === 'unknown').length,
    differences: [...onInvoice, ...notOnInvoice],
  }
}

function compared(id: string, lines: InvoiceLine[], own: OwnCost[], toleranceMicroUsd: number): Difference[] {
  const billed = sum(lines.map(({ microUsd }) => microUsd))
  const [attempt, ...others] = own
  if (!attempt) return [differenceOf('not_ours', id, billed)]
  if (others.length > 0) return own.map(one => differenceOf('twice_here', id, billed, one))
  if (attempt.micro_usd === null) return [differenceOf('unknown_here', id, billed, attempt)]
  if (Math.abs(billed - attempt.micro_usd) <= toleranceMicroUsd) return []
  return [differenceOf(lines.length > 1 ? 'twice_on_invoice' : 'unlike', id, billed, attempt)]
}

const differenceOf = (difference: Difference['difference'], id: string, billed: number | null, own?: OwnCost): Difference => ({
  difference,
  provider_task_id: id,
  attempt_id: own?.attempt_id ?? null,
  task_id: own?.task_id ?? null,
  invoice_micro_usd: billed,
  our_micro_usd: own?.micro_usd ?? null,
  basis: own?.basis ?? null,
})

const sum = (amounts: number[]): number => amounts.reduce((total, one) => total + one, 0)
