import { openAccount } from '../support/client/account'
import { sampleMedia } from '../support/client/sample-media'
import { attemptsOf } from '../support/operator/operator'
import { type Behaviour, simulator } from '../support/simulator'
import type { Report } from '../support/suite/report'
import { type Body, parseChoice, parseDuration, type Subject } from './cases/case'
import { subjects } from './cases/subjects'
import { inParallel } from './in-parallel'

const workers = 4
const completionTimeoutMs = 180_000

type Row = { item: string; unit: string; resolution: string; generate_audio?: boolean; duration?: number; credits_per_unit: number }
type Priced = { resolution: string; seconds: number; audio: boolean; inputSeconds: number }
type End = 'settled' | 'part' | 'refunded'
type Case = { name: string; way: string; body: Body; rows: Row[]; ordered: Priced }

/** How a maker delivers, and what of the order came, or nothing that can be paid for. */
const ways: Record<string, { behaviours: Behaviour[]; came?: (ordered: Priced, rows: Row[]) => Priced }> = {
  right: { behaviours: [], came: ordered => ordered },
  shorter: { behaviours: [{ name: 'deliver_shorter' }], came: ordered => ({ ...ordered, seconds: 1 }) },
  smaller: { behaviours: [{ name: 'deliver_smaller' }], came: (ordered, rows) => ({ ...ordered, resolution: smallest(rows) }) },
  silent: { behaviours: [{ name: 'deliver_silent' }], came: ordered => ({ ...ordered, audio: false }) },
  'audio only': { behaviours: [{ name: 'deliver_audio_only' }] },
  'a page': { behaviours: [{ name: 'output_wrong_type' }] },
  truncated: { behaviours: [{ name: 'output_truncated', clean: true }] },
}

/** For every model, resolution and way of delivering: what is due is the price of what came, by the rows of GET /models. */
export async function proveDeliveries(report: Report): Promise<void> {
  const { api } = await openAccount({ credits: 10_000_000 })
  const run = crypto.randomUUID()
  for (const [way, { behaviours }] of Object.entries(ways)) await simulator.behave(`${way} ${run}`, [{ name: 'instant' }, ...behaviours])
  const models: { id: string; pricing: { rows: Row[] } }[] = JSON.parse((await api.get('/models')).text).data
  const cases = ofEachModel().flatMap(subject =>
    casesOf(subject, models.find(({ id }) => id === subject.model.model)?.pricing.rows ?? [], run),
  )
  const grid = new Map<string, Record<End, number>>(Object.keys(ways).map(way => [way, { settled: 0, part: 0, refunded: 0 }]))

  await inParallel(cases, workers, async ({ name, way, body, rows, ordered }) => {
    const posted = await api.generate(body)
    if (posted.status !== 202) return report.check(name, false, posted.text)
    const task = await api.taskOnce(posted.body.id, undefined, completionTimeoutMs)
    const attempt = (await attemptsOf(task.id)).at(-1)
    const came = ways[way]?.came?.(ordered, rows)
    const reserved = posted.body.credits_used
    const due = came && Math.min(priceOf(rows, came), reserved)
    const end: End = due === undefined ? 'refunded' : due < reserved ? 'part' : 'settled'
    const seen = [task.billing_status, attempt?.due_credits ?? null, task.credits_refunded]
    const wanted = due === undefined ? ['refunded', null, reserved] : ['settled', end === 'part' ? due : null, reserved - due]
    const holds = JSON.stringify(seen) === JSON.stringify(wanted)
    report.check(name, holds, `${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}, ${JSON.stringify(attempt?.delivery)}`)
    const counts = grid.get(way)
    if (holds && counts) counts[end] += 1
  })
  for (const [way, counts] of grid)
    console.log(
      `  ${way.padEnd(12)} ${Object.entries(counts)
        .map(([end, count]) => `${end} ${count}`)
        .join('  ')}`,
    )
  report.figure('deliveries.cases', cases.length)
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
  return values.flatMap(resolution =>
    Object.keys(ways)
      .filter(way => way !== 'silent' || takesAudio)
      .map(way => ({
        name: `${model.model} ${mode} ${resolution}: ${way}`,
        way,
        body: { ...base, ...media, ...images, ...videos, resolution, prompt: `${way} ${run}`, ...(takesAudio && { generate_audio: true }) },
        rows,
        ordered: {
          resolution,
          seconds: parseDuration(specified.duration).fallback ?? 5,
          audio: takesAudio,
          inputSeconds: base.reference_video_urls ? 5 : 0,
        },
      })),
  )
}

const sides: Record<string, number> = { '2k': 1440, '4k': 2160 }
const sideOf = (resolution: string) => sides[resolution] ?? Number.parseInt(resolution, 10)
const outputs = (rows: Row[]) => rows.filter(({ item }) => item === 'output')

/** A model with one price for a generation has no price for less. */
const isWhole = (rows: Row[]) => outputs(rows).every(({ unit, duration }) => unit === 'generation' && duration === undefined)
const smallest = (rows: Row[]) =>
  [...outputs(rows)].sort((one, other) => sideOf(one.resolution) - sideOf(other.resolution))[0]?.resolution ?? ''

/** By hand: the price of what came, in whole credits; of clips the longest that it reaches, or else the shortest. */
function priceOf(rows: Row[], { resolution, seconds, audio, inputSeconds }: Priced): number {
  if (isWhole(rows)) return Number.POSITIVE_INFINITY
  const fitting = outputs(rows).filter(row => row.resolution === resolution && (row.generate_audio ?? audio) === audio)
  const byLength = [...fitting].sort((one, other) => (one.duration ?? 0) - (other.duration ?? 0))
  const row = byLength.findLast(({ duration = 0 }) => duration <= seconds) ?? byLength[0]
  const input = rows.find(({ item, resolution: of }) => item === 'input_video' && of === resolution)?.credits_per_unit ?? 0
  const micro = (credits: number) => Math.round(credits * 1_000_000)
  const output = micro(row?.credits_per_unit ?? 0) * (row?.unit === 'generation' ? 1 : seconds)
  return Math.ceil((output + micro(input) * inputSeconds) / 1_000_000)
}
