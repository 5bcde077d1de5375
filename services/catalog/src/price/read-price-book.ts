import { Type } from '@sinclair/typebox'
import { readDataFile } from '../card/read-data-file'
import { type PriceBook, priceBookShape } from './price-book'

const overlayShape = Type.Composite([Type.Pick(priceBookShape, ['version']), Type.Partial(Type.Omit(priceBookShape, ['version']))], {
  additionalProperties: false,
})

/** The first file is whole; each later one has a version of its own and replaces what it names. */
export function readPriceBook([first, ...later]: string[], faults: string[]): PriceBook | undefined {
  if (first === undefined) return undefined
  const reporter = (path: string) => (field: string, sentence: string) => void faults.push(`${path} ${field && `${field}: `}${sentence}`)
  let book = readDataFile(first, priceBookShape, reporter(first))
  for (const path of later) {
    const overlay = readDataFile(path, overlayShape, reporter(path))
    if (!book || !overlay) return undefined
    book = {
      ...{ ...book, ...overlay },
      usd_per: { ...book.usd_per, ...overlay.usd_per },
      models: { ...book.models, ...overlay.models },
      below_cost: { ...book.below_cost, ...overlay.below_cost },
    }
  }
  return book
}
