import { openAccount } from '../support/client/account'
import { sampleMedia } from '../support/client/sample-media'
import { attemptsOf, ledgerTask } from '../support/operator/operator'
import { simulator } from '../support/simulator'
import type { Report } from '../support/suite/report'
import { type Body, parseChoice, type Subject } from './cases/case'
import { subjects } from './cases/subjects'
import { inParallel } from './in-parallel'
import { createEstimator } from './models/estimates'
import { usageRecords } from './usage-records'

const workers = 4
const completionTimeoutMs = 180_000
const grantedCredits = 10_000_000

type Charge = { name: string; body: Body }

/** For every model, mode and resolution: the estimate, the reservation and what a finished generation was charged are one number, as what came is what was ordered. */
export async function proveCharges(report: Report): Promise<void> {
  const account = await openAccount({ credits: grantedCredits })
  const estimate = createEstimator(account.apiKey)
  const words = `charge ${crypto.randomUUID()}`
  await simulator.behave(words, [{ name: 'instant' }])
  const charges = subjects.flatMap(subject => chargesOf(subject, words))
  const credits = new Map<string, number>()

  await inParallel(charges, workers, async ({ name, body }) => {
    const estimated = (await estimate(JSON.stringify(body))).estimate
    const posted = await account.api.generate(body)
    if (posted.status !== 202 || !estimated) return report.check(name, false, posted.text)
    credits.set(posted.body.id, estimated.credits)
    const task = await account.api.taskOnce(posted.body.id, undefined, completionTimeoutMs)
    const { reservation } = await ledgerTask(task.id)
    const seen = {
      posted: posted.body.credits_used,
      reserved: reservation?.credits,
      used: task.credits_used,
      refunded: task.credits_refunded,
      status: task.status,
      billing: task.billing_status,
      shortfalls: (await attemptsOf(task.id)).at(-1)?.delivery?.shortfalls,
    }
    const due = {
      posted: estimated.credits,
      reserved: estimated.credits,
      used: estimated.credits,
      refunded: 0,
      status: 'completed',
      billing: 'settled',
      shortfalls: [],
    }
    report.check(
      name,
      JSON.stringify(seen) === JSON.stringify(due),
      `${JSON.stringify(seen)} instead of ${JSON.stringify(due)}, error ${JSON.stringify(task.error)}`,
    )
  })
  await proveRecords(report, account, credits)
  report.figure('charges.generations', charges.length)
}

/** What the usage records say of them is the same again, beside the grant that opened the account, and the balance is what they leave. */
async function proveRecords(report: Report, { api }: Awaited<ReturnType<typeof openAccount>>, credits: Map<string, number>): Promise<void> {
  const recorded = new Map<string, number>()
  const others: { kind: string; credits: number }[] = []
  for (const { task_id, kind, credits } of await usageRecords(api)) {
    if (task_id === null) others.push({ kind, credits })
    else recorded.set(task_id, (recorded.get(task_id) ?? 0) - credits)
  }
  const different = [...credits].filter(([task, amount]) => recorded.get(task) !== amount)
  report.check(
    'the usage records say the same of every task',
    different.length === 0 && recorded.size === credits.size,
    `${recorded.size} instead of ${credits.size}, of these wrong ${JSON.stringify(different.slice(0, 5))}`,
  )
  const granted = JSON.stringify([{ kind: 'grant', credits: grantedCredits }])
  report.check('the only other record is the grant', JSON.stringify(others) === granted, JSON.stringify(others))
  const summary = JSON.parse((await api.get('/usage/summary')).text)
  const net = summary.data.reduce((sum: number, row: { credits_net: number }) => sum + row.credits_net, 0)
  const spent = [...credits.values()].reduce((sum, amount) => sum + amount, 0)
  report.check('the summary adds up to what was spent', net === spent, `${net} instead of ${spent}`)
  report.check('the balance is what is left', (await api.credits()) === grantedCredits - spent)
}

function chargesOf(subject: Subject, words: string): Charge[] {
  const { values } = parseChoice(subject.specified.resolution)
  const base: Body = { ...subject.base, ...withSamples(subject.base), prompt: words }
  const bodies = values.map(resolution => ({ name: `${subject.model.model} ${subject.mode} ${resolution}`, body: { ...base, resolution } }))
  const videos = subject.specified.references?.videos
  if (!videos || base.reference_video_urls) return bodies
  const clip = { reference_video_urls: [sampleMedia('walk-5s.mp4')], reference_video_durations: [5] }
  // The fast model takes videos at its highest resolution only; elsewhere every resolution has its input rate.
  const taking = subject.model.model === 'alpha-h3-fast' ? ['768p'] : values
  return [
    ...bodies,
    ...taking.map(resolution => ({
      name: `${subject.model.model} ${subject.mode} ${resolution} with a video`,
      body: { ...base, ...clip, resolution },
    })),
  ]
}

/** Files that exist, in place of the example's. */
function withSamples(body: Body): Body {
  const samples: Body = {
    image_url: sampleMedia('lake.jpg'),
    end_image_url: sampleMedia('hill.jpg'),
    reference_image_urls: [sampleMedia('lake.jpg')],
    reference_video_urls: [sampleMedia('walk-5s.mp4')],
  }
  return Object.fromEntries(Object.entries(samples).filter(([field]) => field in body))
}
