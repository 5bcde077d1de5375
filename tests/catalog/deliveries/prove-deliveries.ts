import { openAccount } from '../../support/client/account'
import type { Api } from '../../support/client/api'
import { sampleMedia } from '../../support/client/sample-media'
import { attemptsOf, audit, ledgerTask } from '../../support/operator/operator'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { type Body, parseChoice, parseDuration, type Subject } from '../cases/case'
import { subjects } from '../cases/subjects'
import { inParallel } from '../in-parallel'
import { type UsageRecord, usageRecords } from '../usage-records'
import { createGrid, type End } from './grid'
import { chargeOf, longestClip, type Priced, priceOf, type Row, smallest } from './hand-price'

const workers = 8
const completionTimeoutMs = 300_000
const grantedCredits = 10_000_000

type Case = { name: string; way: string; body: Body; rows: Row[]; ordered: Priced }
/** What a task, its attempt, the ledger and the usage records say. Null: the attempt has no price of its own. */
type Outcome = {
  status: string
  billing: string | undefined
  used: number
  refunded: number
  due: number | null | undefined
  entries: string[]
  usage: string[]
}

/** How a provider delivers, and what of the order that is. Without `delivered` there is nothing to pay for. */
export const ways: Record<string, { behaviours: Behaviour[]; delivered?: (ordered: Priced, rows: Row[]) => Priced }> = {
  right: { behaviours: [], delivered: ordered => ordered },
  'audio only': { behaviours: [{ name: 'deliver_audio_only' }] },
  shorter: { behaviours: [{ name: 'deliver_shorter' }], delivered: ordered => ({ ...ordered, seconds: 1 }) },
  longer: { behaviours: [{ name: 'deliver_longer' }], delivered: ordered => ordered },
  smaller: { behaviours: [{ name: 'deliver_smaller' }], delivered: (ordered, rows) => ({ ...ordered, resolution: smallest(rows) }) },
  silent: { behaviours: [{ name: 'deliver_silent' }], delivered: ordered => ({ ...ordered, audio: false }) },
  'other codec': { behaviours: [{ name: 'deliver_hevc' }], delivered: ordered => ordered },
  'two tracks': { behaviours: [{ name: 'deliver_two_tracks' }], delivered: ordered => ordered },
  'two sound tracks': { behaviours: [{ name: 'deliver_two_tracks', of: 'sound' }], delivered: ordered => ordered },
  '0 bytes': { behaviours: [{ name: 'output_empty' }] },
  HTML: { behaviours: [{ name: 'output_wrong_type' }] },
  truncated: { behaviours: [{ name: 'output_truncated', clean: true }] },
}

/** For every model, resolution and way of delivering: the charge is the price of what was delivered, by the rows of GET /models. */
export async function proveDeliveries(report: Report): Promise<void> {
  const { api } = await openAccount({ credits: grantedCredits })
  const run = crypto.randomUUID()
  for (const [way, { behaviours }] of Object.entries(ways)) await simulator.behave(`${way} ${run}`, [{ name: 'instant' }, ...behaviours])
  const models: { id: string; pricing: { rows: Row[] } }[] = JSON.parse((await api.get('/models')).text).data
  const cases = ofEachModel().flatMap(subject =>
    casesOf(subject, models.find(({ id }) => id === subject.model.model)?.pricing.rows ?? [], run),
  )
  const grid = createGrid(Object.keys(ways))
  const outcomes = new Map<Case, Awaited<ReturnType<typeof outcomeOf>>>()
  await inParallel(cases, workers, async one => {
    try {
      outcomes.set(one, await outcomeOf(api, one.body))
    } catch (error) {
      report.check(`${one.name} ends`, false, String(error))
      grid.count(one.way, one.rows, 'wrong')
    }
  })

  const usage = Map.groupBy(await usageRecords(api), ({ task_id }) => task_id)
  let spent = 0
  for (const [one, { id, seen, measured }] of outcomes) {
    const { end, charged, outcome } = expected(one)
    spent += charged
    const found = JSON.stringify({ ...seen, usage: (usage.get(id) ?? []).map(lineOf).sort() } satisfies Outcome)
    const wanted = JSON.stringify(outcome)
    grid.count(one.way, one.rows, found === wanted ? end : 'wrong')
    report.check(one.name, found === wanted, `${found} instead of ${wanted}, measured ${JSON.stringify(measured)}`)
  }
  const balance = await api.credits()
  report.check('the balance is what is left', balance === grantedCredits - spent, `${balance} instead of ${grantedCredits - spent}`)
  const findings = await audit()
  report.check('the audit finds nothing', findings.length === 0, JSON.stringify(findings))
  grid.print()
  report.figure('deliveries.cases', cases.length)
  for (const [end, count] of Object.entries(grid.totals())) report.figure(`deliveries.${end}`, count)
}

async function outcomeOf(api: Api, body: Body): Promise<{ id: string; seen: Omit<Outcome, 'usage'>; measured: unknown }> {
  const posted = await api.generate(body)
  if (posted.status !== 202) throw new Error(`it is not accepted: ${posted.text}`)
  const { id } = posted.body
  const task = await api.taskOnce(id, ({ billing_status }) => endings.has(billing_status), completionTimeoutMs)
  const attempt = (await attemptsOf(id)).at(-1)
  const { entries } = await ledgerTask(id)
  return {
    id,
    seen: {
      ...{ status: task.status, billing: task.billing_status, used: task.credits_used, refunded: task.credits_refunded },
      ...{ due: attempt?.due_credits, entries: entries.map(({ kind, book, credits }) => `${kind} ${book} ${credits}`).sort() },
    },
    measured: attempt?.delivery,
  }
}

const endings = new Set<unknown>(['settled', 'refunded'])
const lineOf = ({ kind, credits, billed_seconds }: UsageRecord): string => `${kind} ${credits} ${billed_seconds} s`

/** By hand: the task, the entries and the usage lines of an order that was delivered so. */
function expected({ way, rows, ordered }: Case): { end: End; charged: number; outcome: Outcome } {
  const reserved = priceOf(rows, ordered)
  const delivered = ways[way]?.delivered?.(ordered, rows)
  const charged = delivered ? chargeOf(rows, ordered, delivered) : 0
  const back = reserved - charged
  const end = !delivered ? 'refunded' : back > 0 ? 'part' : 'settled'
  const ending = delivered ? 'settle' : 'refund'
  const entries = [`reserve customer_paid ${-reserved}`, `reserve reserved ${reserved}`, `${ending} reserved ${-reserved}`]
  if (delivered) entries.push(`settle revenue ${charged}`)
  if (back > 0) entries.push(`${ending} customer_paid ${back}`)
  // A refund of a part takes back no seconds.
  const refunds = back > 0 ? [`refund ${back} ${end === 'part' ? 0 : ordered.seconds} s`] : []
  return {
    end,
    charged,
    outcome: {
      ...{ status: delivered ? 'completed' : 'failed', billing: delivered ? 'settled' : 'refunded', used: reserved, refunded: back },
      ...{ due: end === 'part' ? charged : null, entries: entries.sort() },
      usage: [...refunds, `reservation ${-reserved} ${ordered.seconds} s`].sort(),
    },
  }
}

/** A mode of each model. */
const ofEachModel = (): Subject[] => [...new Map(subjects.map(subject => [subject.model.model, subject])).values()]

function casesOf({ model, mode, specified, base }: Subject, rows: Row[], run: string): Case[] {
  const { values } = parseChoice(specified.resolution)
  const takesAudio = [...model.common, ...specified.optional].includes('generate_audio')
  const videos = base.reference_video_urls ? { reference_video_urls: [sampleMedia('walk-5s.mp4')] } : {}
  const media = {
    ...(base.image_url ? { image_url: sampleMedia('lake.jpg') } : {}),
    ...(base.end_image_url ? { end_image_url: sampleMedia('hill.jpg') } : {}),
  }
  const images = base.reference_image_urls ? { reference_image_urls: [sampleMedia('lake.jpg')] } : {}
  return values.flatMap(resolution => {
    // Of clips the longest, so that a shorter one costs less.
    const clip = longestClip(rows, resolution)
    const seconds = clip ?? parseDuration(specified.duration).fallback ?? 5
    const common = { ...base, ...media, ...images, ...videos, resolution, ...(takesAudio && { generate_audio: true }) }
    return Object.keys(ways).map(way => ({
      name: `${model.model} ${mode} ${resolution}: ${way}`,
      way,
      body: { ...common, prompt: `${way} ${run}`, ...(clip && { duration: clip }) },
      rows,
      ordered: { resolution, seconds, audio: takesAudio, inputSeconds: base.reference_video_urls ? 5 : 0 },
    }))
  })
}
