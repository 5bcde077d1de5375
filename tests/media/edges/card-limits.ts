import { toJson } from '@bufbuild/protobuf'
import { type MediaLimits, MediaLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { readCards } from './cards'
import { specifiedLimits } from './specified-limits'

/** Each model's card has the limits that the contract names: no mode more and none less, and every number of each. */
export async function proveCards(report: Report, prefix: string): Promise<void> {
  const cards = await readCards(prefix)
  report.check('29 models', cards.length === 29, `${cards.length}`)
  const shown = new Map(
    cards.flatMap(card =>
      card.modes.flatMap(({ name, mediaLimits }) =>
        mediaLimits && mediaLimits.kinds.length > 0 ? [[`${card.model} ${name}`, inWords(mediaLimits)] as const] : [],
      ),
    ),
  )
  const specified = new Map(specifiedLimits.map(({ model, mode, limits }) => [`${model} ${mode}`, inWords(limits)] as const))
  for (const name of new Set([...specified.keys(), ...shown.keys()]))
    report.check(
      `the card's limits of ${name}`,
      shown.get(name) === specified.get(name),
      `${shown.get(name)}, expected ${specified.get(name)}`,
    )
}

const inWords = (limits: MediaLimits) =>
  JSON.stringify(toJson(MediaLimitsSchema, { ...limits, kinds: limits.kinds.toSorted((one, other) => one.kind - other.kind) }))
