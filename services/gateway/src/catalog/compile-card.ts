import { invariant } from '@filmgate/kit/failure'
import type { ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { Issue, Values } from '../issues/issue'
import { either, show } from '../issues/wording'
import { type CompiledMode, compileMode, unsupportedFields } from './compile-mode'
import { compilePrice, type Price } from './compile-price'
import type { GenerationRequest } from './request'

export type ModelCheck = { ok: true; request: GenerationRequest } | { ok: false; issues: Issue[] }

/** A card compiled into functions, so that a request is checked and priced in this process. */
export type CompiledModel = {
  readonly id: string
  readonly card: ModelCard
  /** Whether any configured provider has it; undisputed while nobody has said otherwise. */
  readonly available: boolean
  readonly modes: ReadonlyMap<string, CompiledMode>
  /** Every fault of a body for this model at once, or the request with defaults applied and the prompt trimmed. `model` is not looked at. */
  check(body: unknown): ModelCheck
  price(request: GenerationRequest): Price
  /** The compiled mode of a request that `check` returned. */
  modeOf(request: GenerationRequest): CompiledMode
}

/** Pure; throws only on a card that the catalog would not have published. */
export function compileCard(card: ModelCard, available = true): CompiledModel {
  const modes = new Map(card.modes.map(mode => [mode.name, compileMode(card.model, mode)]))
  const modeNames = [...modes.keys()]
  invariant(modeNames.length > 0, `the card of ${card.model} has no mode`)

  function check(body: unknown): ModelCheck {
    if (!isObject(body)) return { ok: false, issues: [{ path: '', rule: 'type', message: 'the body must be a JSON object' }] }
    const name = Object.hasOwn(body, 'mode') ? body.mode : card.defaultMode
    const mode = typeof name === 'string' ? modes.get(name) : undefined
    if (!mode) return { ok: false, issues: [modeIssue(body.mode), ...commonIssues(body)] }
    const { request, issues } = mode.check(body)
    const all = [...unsupportedFields(body, mode, modes), ...issues]
    return all.length > 0 ? { ok: false, issues: all } : { ok: true, request }
  }

  function modeIssue(given: unknown): Issue {
    const legal = `mode must be ${either(modeNames)} for ${card.model}`
    return given === undefined
      ? { path: 'mode', rule: 'required', message: legal }
      : { path: 'mode', rule: 'enum', message: `${legal}, and is ${show(given)}` }
  }

  /** What is wrong with the body whichever mode is meant. */
  function commonIssues(body: Values): Issue[] {
    const [first = [], ...others] = [...modes.values()].map(mode => [...unsupportedFields(body, mode, modes), ...mode.check(body).issues])
    const same = (a: Issue) => (b: Issue) => a.path === b.path && a.rule === b.rule
    return first.filter(issue => others.every(list => list.some(same(issue))))
  }

  function modeOf(request: GenerationRequest): CompiledMode {
    const mode = modes.get(request.mode)
    invariant(mode, `${card.model} has no mode ${request.mode}`)
    return mode
  }

  return { id: card.model, card, available, modes, check, price: compilePrice(card), modeOf }
}

export const isObject = (body: unknown): body is Values => typeof body === 'object' && body !== null && !Array.isArray(body)
