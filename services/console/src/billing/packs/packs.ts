import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import builtIn from '../../../packs.json' with { type: 'json' }

const Pack = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
    /** Increased with every change of the pack's terms. A purchase stores the version that it was made at. */
    version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    credits: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    /** In the currency's smallest unit, such as cents. */
    amount: Type.Integer({ minimum: 1, maximum: 99_999_999 }),
    currency: Type.String({ pattern: '^[a-z]{3}$' }),
  },
  { additionalProperties: false },
)
const Packs = Type.Object({ packs: Type.Array(Pack, { minItems: 1, maxItems: 50 }) }, { additionalProperties: false })

export type Pack = Static<typeof Pack>

export class PacksError extends Error {
  override name = 'PacksError'
}

/**
 * The packs on sale: from the file (YAML or JSON), or the built-in ones. Throws one PacksError that lists all faults.
 */
export function readPacks(path?: string): Pack[] {
  const read: unknown = path ? parse(path) : builtIn
  const name = path ?? 'packs.json'
  if (!Value.Check(Packs, read))
    throw new PacksError([...Value.Errors(Packs, read)].map(fault => `${name}${fault.path}: ${fault.message}`).join('\n'))
  const ids = read.packs.map(({ id }) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated) throw new PacksError(`${name}: more than one pack is called ${repeated}`)
  return read.packs
}

function parse(path: string): unknown {
  try {
    return Bun.YAML.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new PacksError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The terms that the page showed, sent back by the form, so that nobody buys at changed terms. */
export const termsOf = ({ version, credits, amount, currency }: Pack): string => [version, credits, amount, currency].join('-')

/**
 * Decimal digits of the currency's smallest unit as Stripe counts it. They may differ from ISO 4217: 5.00 krónur are
 * 500 there. https://docs.stripe.com/currencies#zero-decimal
 */
const unitDigits: Readonly<Record<string, number>> = {
  ...{ bif: 0, clp: 0, djf: 0, gnf: 0, jpy: 0, kmf: 0, krw: 0, mga: 0, pyg: 0, rwf: 0, vnd: 0, vuv: 0, xaf: 0, xof: 0, xpf: 0 },
  ...{ bhd: 3, jod: 3, kwd: 3, omr: 3, tnd: 3 },
}

/** `$10.00`. A unit price may be a fraction of the smallest unit. */
export function money(amount: number, currency: string, digitsMore = 0): string {
  const digits = unitDigits[currency] ?? 2
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits + digitsMore } as const
  return new Intl.NumberFormat('en-US', options).format(amount / 10 ** digits)
}

/** The price of one credit. */
export const unitPrice = ({ amount, credits, currency }: Pick<Pack, 'amount' | 'credits' | 'currency'>): string =>
  money(amount / credits, currency, 3)
