import { readFile } from 'node:fs/promises'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import { makerCosts } from './costs'
import { invoiceCsv, invoiceTable, makerInvoice } from './invoice'
import { costsCsv, costsTable } from './show-costs'

export type CostsOptions = {
  from: string
  to?: string
  maker?: string
  csv?: boolean
  json?: boolean
  invoice?: string
  idColumn: string
  amountColumn: string
  /** Millionths of a US dollar. */
  toleranceUsd: number
}

/** What `ops maker costs` prints, in the form that was asked for. `differs`: the invoice is not what we know. */
export async function costsOrInvoice(call: Call, options: CostsOptions): Promise<{ shown: Json; differs: boolean }> {
  const { from, to = new Date().toISOString(), maker, csv, json } = options
  if (csv && json) throw new OpsFault('Either --csv or --json.')
  if (Date.parse(to) <= Date.parse(from)) throw new OpsFault('--to must be after --from.')
  if (options.invoice === undefined) {
    const costs = await makerCosts(call, { from, to, maker })
    return { shown: (csv ? costsCsv(costs) : json ? costs : costsTable(costs)) as Json, differs: false }
  }
  if (maker === undefined) throw new OpsFault('Say whose invoice it is: --maker NAME.')
  const { idColumn, amountColumn, toleranceUsd: toleranceMicroUsd } = options
  const text = await readFile(options.invoice, 'utf8').catch((error: Error) => {
    throw new OpsFault(`The invoice can't be read: ${error.message}`)
  })
  const check = await makerInvoice(call, { maker, from, to, text, idColumn, amountColumn, toleranceMicroUsd })
  return { shown: (csv ? invoiceCsv(check) : json ? check : invoiceTable(check)) as Json, differs: check.differences.length > 0 }
}
