import { OpsFault } from '../fault'
import { readCsv } from '../print/csv'
import { microUsdOf } from '../print/money'

/** One line of a provider's invoice; `line` as a text editor counts rows that hold something. */
export type InvoiceLine = { line: number; providerTaskId: string; microUsd: number }

export type InvoiceColumns = { idColumn: string; amountColumn: string }

/** Lines of a CSV with a header. An amount is US dollars in digits, negative for a credit note. Every fault is named, because a line left out would be missing. */
export function readInvoice(text: string, { idColumn, amountColumn }: InvoiceColumns): InvoiceLine[] {
  const [header, ...rows] = readCsv(text) ?? fault('is no CSV: a quote is not closed')
  const names = (header ?? []).map(name => name.trim())
  const place = (name: string): number => {
    const at = names.indexOf(name)
    return at >= 0 ? at : fault(`has no column ${name}; its columns are ${names.join(', ') || '(none)'}`)
  }
  const [idAt, amountAt] = [place(idColumn), place(amountColumn)]
  return rows.map((cells, index) => {
    const [providerTaskId = '', amount = ''] = [cells[idAt]?.trim(), cells[amountAt]?.trim()]
    const line = index + 2
    if (providerTaskId === '') fault(`has no ${idColumn} in line ${line}`)
    return {
      line,
      providerTaskId,
      microUsd: microUsdOf(amount) ?? fault(`has no amount of dollars in line ${line}: ${amount || '(nothing)'}`),
    }
  })
}

function fault(words: string): never {
  throw new OpsFault(`The invoice ${words}.`)
}
