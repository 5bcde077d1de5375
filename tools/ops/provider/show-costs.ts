import { writeCsv } from '@filmgate/kit/csv/write-csv'
import type { Earnings } from '@filmgate/proto/operator/provider'
import { usdText } from '../print/money'
import type { Costs } from './costs'

const columns = [
  ...['provider', 'model', 'attempts', 'open', 'completed', 'unknown', 'credits', 'unknown_credits', 'revenue_usd', 'cost_usd'],
  ...['told_usd', 'listed_usd', 'lost_usd', 'margin_usd', 'margin_percent'],
] as const

/** In dollars; a spreadsheet adds up by itself, so without the total. */
export const costsCsv = ({ data }: Costs): string => writeCsv(columns, data.map(inDollars))

/** A table with its total last, and what a person has to know of it. */
export const costsTable = ({ data, total }: Costs) =>
  [...data, total].map(row => {
    const { credits: _, unknown_credits: __, told_usd: ___, ...shown } = inDollars(row)
    return shown
  })

const inDollars = (row: Earnings) => ({
  provider: row.provider,
  model: row.model,
  attempts: row.attempts,
  open: row.open,
  completed: row.completed,
  unknown: row.unknown,
  credits: row.credits,
  unknown_credits: row.unknown_credits,
  revenue_usd: usdText(row.revenue_micro_usd),
  cost_usd: usdText(row.cost_micro_usd),
  told_usd: usdText(row.told_micro_usd),
  listed_usd: usdText(row.listed_micro_usd),
  lost_usd: usdText(row.lost_micro_usd),
  margin_usd: usdText(row.margin_micro_usd),
  margin_percent: row.margin_percent,
})
