import { createJudge } from '../../catalog/bodies/judge'
import type { PublishedCatalog } from '../../catalog/models/published-models'
import { seededRandom } from '../../support/random'
import { bodiesBeyondTypes } from './limits'
import { type Body, rightBody, subjectsOf } from './right-bodies'
import { type Kind, kinds, kindsOfUnions, type WrongBody, wrongBody } from './wrong-bodies'

/** `beyond`: wrong in ways that types can't refuse. */
export type Bodies = { right: Body[]; wrong: WrongBody[]; beyond: Body[] }

/**
 * Bodies spread over all models, modes and kinds of faults. An independent validator with what GET /models publishes says which are
 * right. `count` are right and `count` have a fault that both languages refuse; those of unions come on top.
 */
export function makeBodies(catalog: PublishedCatalog, count: number, seed: number): Bodies {
  const random = seededRandom(seed)
  const isRight = createJudge(catalog)
  const subjects = subjectsOf(catalog)
  const everyField = [...new Set(subjects.flatMap(({ mode }) => mode.fields))]
  const from = Math.floor(random.between(0, subjects.length))
  const at = (index: number) => subjects.at((from + index) % subjects.length) as (typeof subjects)[number]
  const right = Array.from({ length: count }, (_, index) => rightBody(at(index), random, isRight))
  const inBoth = kinds.filter(kind => !kindsOfUnions.includes(kind))
  const wrong = [...faults(inBoth, count), ...faults(kindsOfUnions, Math.ceil(count / 5))]
  return { right, wrong, beyond: bodiesBeyondTypes(subjects, random, isRight) }

  function faults(ofKinds: Kind[], wanted: number): WrongBody[] {
    const made: WrongBody[] = []
    for (let index = 0; made.length < wanted; index += 1) {
      const kind = ofKinds[made.length % ofKinds.length] as Kind
      const body = wrongBody(kind, at(index), { random, everyField, isRight })
      if (body) made.push(body)
      if (index > 100 * wanted) throw new Error(`no model has a place for ${kind}`)
    }
    return made
  }
}
