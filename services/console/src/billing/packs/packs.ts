import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import builtIn from '../../../packs.json' with { type: 'json' }

const Pack = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
    /** Raised with every change of the pack's terms, so that a purchase says which it was made at. */
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

/** The packs on sale: those of the file (YAML or JSON), or those built in. Throws one PacksError with everything that is wrong. */
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

/** What a form carries of the pack that its page showed, so that nobody buys at terms they have not seen. */
export const termsOf = ({ version, credits, amount, currency }: Pack): string => [version, credits, amount, currency].join('-')

/**
 * Digits of the smallest unit as Stripe counts it, which is not always the bank's: 5.00 krónur are 500 there.
 * https://docs.stripe.com/currencies#zero-decimal
 */
const unitDigits: Readonly<Record<string, number>> = {
  ...{ bif: 0, clp: 0, djf: 0, gnf: 0, jpy: 0, kmf: 0, krw: 0, mga: 0, pyg: 0, rwf: 0, vnd: 0, vuv: 0, xaf: 0, xof: 0, xpf: 0 },
  ...{ bhd: 3, jod: 3, kwd: 3, omr: 3, tnd: 3 },
}

/** `$10.00`; yen have no smaller unit, and a unit price may be a part of one. */
export function money(amount: number, currency: string, digitsMore = 0): string {
  const digits = unitDigits[currency] ?? 2
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits + digitsMore } as const
  return new Intl.NumberFormat('en-US', options).format(amount / 10 ** digits)
}

/** What one credit of it costs. */
export const unitPrice = ({ amount, credits, currency }: Pick<Pack, 'amount' | 'credits' | 'currency'>): string =>
  money(amount / credits, currency, 3)
