import { readFile } from 'node:fs/promises'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import { providerCosts } from './costs'
import { invoiceCsv, invoiceTable, providerInvoice } from './invoice'
import { costsCsv, costsTable } from './show-costs'

export type CostsOptions = {
  /** 30 days before `to` if it is not given. */
  from?: string
  to?: string
  provider?: string
  csv?: boolean
  json?: boolean
  invoice?: string
  idColumn: string
  amountColumn: string
  /** Millionths of a US dollar. */
  toleranceUsd: number
}

/** As the console shows. */
const daysDefault = 30

/** What `ops provider costs` prints, in the form that was asked for. `differs`: the invoice is not what we know. */
export async function costsOrInvoice(call: Call, options: CostsOptions): Promise<{ shown: Json; differs: boolean }> {
  const { to = new Date().toISOString(), provider, csv, json } = options
  const { from = new Date(Date.parse(to) - daysDefault * 86_400_000).toISOString() } = options
  if (csv && json) throw new OpsFault('Either --csv or --json.')
  if (Date.parse(to) <= Date.parse(from)) throw new OpsFault('--to must be after --from.')
  if (options.invoice === undefined) {
    const costs = await providerCosts(call, { from, to, provider })
    return { shown: (csv ? costsCsv(costs) : json ? costs : costsTable(costs)) as Json, differs: false }
  }
  if (provider === undefined) throw new OpsFault('Say whose invoice it is: --provider NAME.')
  const { idColumn, amountColumn, toleranceUsd: toleranceMicroUsd } = options
  const text = await readFile(options.invoice, 'utf8').catch((error: Error) => {
    throw new OpsFault(`The invoice can't be read: ${error.message}`)
  })
  const check = await providerInvoice(call, { provider, from, to, text, idColumn, amountColumn, toleranceMicroUsd })
  return { shown: (csv ? invoiceCsv(check) : json ? check : invoiceTable(check)) as Json, differs: check.differences.length > 0 }
}
