import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from '@filmgate/tools/stack/addresses'
import { openInstance } from '@filmgate/tools/stack/instance'
import { median } from '../../bench/support/row'
import { openAccount } from '../../support/client/account'
import type { Api } from '../../support/client/api'
import { ownWords, smallRequest } from '../../support/client/request'
import { operate } from '../../support/operator/operator'
import { scrape } from '../../support/servers/metrics'
import { instance, settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { pidOf } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

const bytes = 200_000_000
const rounds = 7
const speedRatioMin = 0.8
const growthMebibytesMax = 64
const waitMsMax = 120_000

/**
 * A video of 200 MB goes from a provider's fake through the dispatcher into the store, and the same bytes by a plain copy, by turns: which of the
 * two is the faster depends on what else the machine does, so the middle of their ratios counts.
 */
export async function proveSpeed(report: Report): Promise<void> {
  const { api } = await openAccount({ credits: 10_000 })
  const pid = await pidOf('dispatcher')
  const plain = openPlainCopy()
  try {
    // What a process takes for its first work is not of the copy.
    await copied(api, 1_000_000)
    const rows: { ours: number; theirs: number }[] = []
    const grown: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const before = residentMebibytes(pid, 'VmRSS')
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
      const { tookMs, source, kept } = await copied(api, bytes)
      grown.push(residentMebibytes(pid, 'VmHWM') - before)
      report.check('a large video is kept whole', kept === bytes, `${kept} of ${bytes} bytes`)
      rows.push({ ours: tookMs, theirs: await plain.copy(source) })
    }
    const speed = median(rows.map(({ ours, theirs }) => theirs / ours))
    const growth = Math.max(...grown)
    report.figure('copy.speed_beside_a_plain_copy', speed)
    report.figure('copy.megabytes_a_second', bytes / 1_000 / median(rows.map(({ ours }) => ours)))
    report.figure('copy.plain_megabytes_a_second', bytes / 1_000 / median(rows.map(({ theirs }) => theirs)))
    report.figure('copy.resident_mebibytes_grown_at_most', growth)
    const times = rows.map(({ ours, theirs }) => `${Math.round(ours)}/${Math.round(theirs)}`).join(' ')
    report.check(`a copy is at least ${speedRatioMin} as fast as a plain one`, speed >= speedRatioMin, `${speed}, of ${times} ms`)
    report.check(`a copy takes at most ${growthMebibytesMax} MiB`, growth <= growthMebibytesMax, grown.map(Math.round).join())
  } finally {
    await plain.stop()
  }
}

type Copy = { tookMs: number; source: string; kept: number }

/** Orders a video of that length and waits for its copy, and for its poster, which would be drawn while the next one is measured. */
async function copied(api: Api, length: number): Promise<Copy> {
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }, { name: 'output_large', bytes: length }])
  const before = await copySeconds()
  const { body } = await api.generate(smallRequest({ prompt }))
  const task = await api.taskOnce(body.id, undefined, waitMsMax)
  if (!task.output) throw new Error(`the large video is ${task.status}: ${JSON.stringify(task.error)}`)
  const tookMs = ((await copySeconds()) - before) * 1_000
  const [submit] = await simulator.submitsWith(prompt)
  const head = await fetch(task.output.video_url, { method: 'HEAD' })
  type Shown = { attempts: { poster: string | null }[] }
  await until(
    'its poster',
    async () => (await operate<Shown>('dispatcher', 'GET', `/tasks/${task.id}`)).attempts.at(-1)?.poster === 'kept',
    waitMsMax,
  )
  return {
    tookMs,
    source: `${settings.simulatorUrl}/outputs/${submit?.generation_id}.mp4`,
    kept: Number(head.headers.get('content-length')),
  }
}

const dispatcherMetrics = () => settings.metricsUrls.find(({ service }) => service === 'dispatcher')?.url ?? ''
const copySeconds = async () => (await scrape(dispatcherMetrics())).find(({ metric }) => metric === 'output_copy_seconds_sum')?.value ?? 0

const residentMebibytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

function openPlainCopy() {
  const { endpoint, region, accessKeyId, secretAccessKey } = addressesOf(openInstance(instance, settings.portBase)).s3
  const env = { S3_ENDPOINT: endpoint, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
  const command = [process.execPath, join(import.meta.dir, 'plain-copy.ts')]
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const answers = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  return {
    /** Milliseconds. */
    async copy(source: string): Promise<number> {
      child.stdin.write(`${source} plain/${crypto.randomUUID()}.mp4\n`)
      child.stdin.flush()
      const { value, done } = await answers.read()
      if (done) throw new Error('the plain copy ended')
      const told = JSON.parse(value) as { kept: number; tookMs: number }
      if (told.kept !== bytes) throw new Error(`the plain copy kept ${told.kept} bytes`)
      return told.tookMs
    },
    async stop() {
      child.stdin.end()
      await child.exited
    },
  }
}
