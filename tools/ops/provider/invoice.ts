import { writeCsv } from '@filmgate/kit/csv/write-csv'
import { type Listed, listOf } from '@filmgate/proto/operator/answer'
import { AttemptCost } from '@filmgate/proto/operator/provider'
import { type Call, callFor } from '../operator-api'
import { usdText } from '../print/money'
import { checkInvoice, type Difference, type InvoiceCheck } from './check-invoice'
import { eachPortion } from './portions'
import { type InvoiceColumns, readInvoice } from './read-invoice'

export type ProviderInvoice = InvoiceColumns & { provider: string; from: string; to: string; text: string; toleranceMicroUsd: number }

/** An invoice counts by its provider's clock, and often by the end of a generation. */
const marginMs = 3 * 86_400_000

/** What is missing, doubled or unlike between a provider's invoice and our attempts there. */
export async function providerInvoice(
  call: Call,
  { provider, from, to, text, toleranceMicroUsd, ...columns }: ProviderInvoice,
): Promise<InvoiceCheck> {
  const lines = readInvoice(text, columns)
  const [begin, end] = [Date.parse(from) - marginMs, Math.min(Date.parse(to) + marginMs, Math.max(Date.now(), Date.parse(to)))]
  const attempts: AttemptCost[] = []
  for (const portion of eachPortion(new Date(begin).toISOString(), new Date(end).toISOString())) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ provider, ...portion, ...(cursor && { cursor }) })
      const page: Listed<AttemptCost> = await callFor(call, listOf(AttemptCost), 'dispatcher', 'GET', `/costs/attempts?${query}`)
      attempts.push(...page.data)
      cursor = page.next_cursor ?? null
    }
  }
  return checkInvoice({ lines, attempts, from, to, toleranceMicroUsd })
}

const columns = ['difference', 'provider_task_id', 'attempt_id', 'task_id', 'invoice_usd', 'our_usd', 'basis'] as const

export const invoiceCsv = ({ differences }: InvoiceCheck): string => writeCsv(columns, differences.map(inDollars))

/** The sums of both sides, and each difference. */
export const invoiceTable = ({ invoice_micro_usd: invoice, our_micro_usd: ours, differences, ...counts }: InvoiceCheck) => ({
  ...counts,
  ...{ invoice_usd: usdText(invoice), our_usd: usdText(ours) },
  differences: differences.map(inDollars),
})

function inDollars({ invoice_micro_usd: invoice, our_micro_usd: ours, basis, ...ids }: Difference) {
  return { ...ids, invoice_usd: invoice === null ? null : usdText(invoice), our_usd: ours === null ? null : usdText(ours), basis }
}
