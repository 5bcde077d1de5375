import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { create, toBinary } from '@bufbuild/protobuf'
import { type ModelCard, ModelCardSchema, PricingSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { CardError } from '../card/card-error'
import { type CardFile, cardFileShape } from '../card/card-file'
import { expandCard } from '../card/expand-card'
import { readDataFile } from '../card/read-data-file'
import { type BelowCost, readPriceBook } from '../price/price-book'
import { creditMicroUsd, priceCard } from '../price/price-card'

/** `privateOrigins`: permitted for media besides public hosts. */
export type CatalogFiles = { cardDirs: string[]; priceFiles: string[]; privateOrigins?: string[] }
export type Catalog = { cards: ModelCard[]; defaultModel: string; priceVersion: string }

/**
 * Reads all cards and the price book and checks them together. Throws one CardError with all faults.
 * The price version ends in a digest of the prices, so it changes with every price.
 */
export function loadCatalog({ cardDirs, priceFiles, privateOrigins = [] }: CatalogFiles): Catalog {
  const faults: string[] = []
  const book = readPriceBook(priceFiles, faults)
  const files = cardDirs.flatMap(dir => readCardFiles(dir, faults))
  for (const model of repeated(files.map(file => file.card.model))) faults.push(`${model}: more than one card has this model`)
  const defaults = files.filter(file => file.card.default_model)
  if (defaults.length !== 1) faults.push(`default_model: exactly one card must have it, but ${defaults.length} do`)
  for (const list of ['models', 'below_cost'] as const)
    for (const model of Object.keys(book?.[list] ?? {})) {
      if (!files.some(file => file.card.model === model))
        faults.push(`${priceFiles.at(-1)} ${list}.${model}: there is no card of this model`)
    }

  const cards = files.map(({ path, card: file }) => {
    const report = (field: string, message: string) => void faults.push(`${path} ${field && `${field}: `}${message}`)
    const card = expandCard(file, report)
    allowPrivateOrigins(card, privateOrigins)
    card.cardVersion = digest(toBinary(ModelCardSchema, card))
    const price = book?.models?.[file.model] ?? file.list_price
    if (!book) return card
    const rows = priceCard(card, price, book, (field, message) => report(`list_price.${field}`, message))
    const belowCost = book.below_cost?.[file.model] ?? []
    for (const one of belowCost)
      faults.push(...belowCostFaults(card, one).map(fault => `${priceFiles.at(-1)} below_cost.${file.model}: ${fault}`))
    card.pricing = create(PricingSchema, { rows, creditMicroUsd: creditMicroUsd(book.credit_usd), belowCost })
    return card
  })
  if (faults.length > 0 || !book) throw new CardError(faults)

  cards.sort((a, b) => (a.model < b.model ? -1 : 1))
  const prices = createHash('sha256')
  for (const card of cards) prices.update(card.model).update(toBinary(PricingSchema, card.pricing ?? create(PricingSchema)))
  const priceVersion = `${book.version}-${prices.digest('hex').slice(0, 8)}`
  for (const card of cards) card.priceVersion = priceVersion
  return { cards, defaultModel: defaults[0]?.card.model ?? '', priceVersion }
}

/** A `below_cost` exception must match something in the card. */
function belowCostFaults({ modes }: ModelCard, { mode, resolution }: BelowCost): string[] {
  const own = modes.filter(({ name }) => mode === undefined || name === mode)
  if (own.length === 0) return [`${mode} is not a mode of the card`]
  const resolutions = own.flatMap(({ fields }) => fields.flatMap(field => (field.name === 'resolution' ? field.choices : [])))
  return resolution === undefined || resolutions.includes(resolution) ? [] : [`${resolution} is not a resolution there`]
}

function readCardFiles(dir: string, faults: string[]): { path: string; card: CardFile }[] {
  const names = readdirSync(dir).filter(name => /\.(ya?ml|json)$/.test(name))
  return names.toSorted().flatMap(name => {
    const path = join(dir, name)
    const card = readDataFile(path, cardFileShape, (field, message) => void faults.push(`${path} ${field && `${field}: `}${message}`))
    return card ? [{ path, card }] : []
  })
}

function allowPrivateOrigins(card: ModelCard, privateOrigins: string[]): void {
  for (const field of card.modes.flatMap(mode => mode.fields)) if (field.mediaKind) field.privateOrigins = privateOrigins
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12)
const repeated = (names: string[]): Set<string> => new Set(names.filter((name, index) => names.indexOf(name) !== index))
