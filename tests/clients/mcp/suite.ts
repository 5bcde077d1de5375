import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { faultCounts } from '../../support/suite/fault-counts'
import { judgedCredits, judgeVideos, type MadeVideo } from '../../support/suite/judge-videos'
import type { Report } from '../../support/suite/report'
import { connectMcp, mcpProgram, type ToolResult } from './connect'

const killsMax = 30
const killedWithinMs = 400
const atOnce = 40
const videosPaidFor = 7
const price = 4
const unlimited = { FILMGATE_MCP_BUDGET: String(judgedCredits) }

/** Agents' sessions: built for Node, killed amid calls, and many calls at once against one budget. */
export async function prove(report: Report): Promise<void> {
  await proveBuilt(report)
  await proveKills(report, Math.min(faultCounts().kills, killsMax))
  await proveBudget(report)
}

const wanted = async () => {
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  return { model: 'alpha-h3-fast', prompt, duration: 1, resolution: '480p', idempotency_key: crypto.randomUUID() }
}
const madeOf = (prompt: string, { structuredContent, content }: ToolResult): MadeVideo => {
  const id = structuredContent?.task_id
  return typeof id === 'string' ? { prompt, id } : { prompt, error: content[0]?.text ?? '' }
}

/** As npm has it, on Node: a whole session with a saved video. */
async function proveBuilt(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'filmgate-mcp-'))
  try {
    const built = await Bun.build({ entrypoints: [mcpProgram], target: 'node', outdir: folder, naming: 'mcp.mjs' })
    report.check('the server is built for Node', built.success, built.logs.join('\n'))
    const { apiKey } = await openAccount({ credits: judgedCredits })
    const agent = await connectMcp({ apiKey, limits: unlimited, saveTo: folder, command: ['node', join(folder, 'mcp.mjs')] })
    const { task_id } = (await agent.call('generate_video', await wanted())).structuredContent ?? {}
    const { status } = (await agent.call('wait_for_video', { task_id })).structuredContent ?? {}
    report.check('on Node: the video is made', status === 'completed', String(status))
    const saved = await agent.call('save_video', { task_id, file_name: 'boat.mp4' })
    const bytes = await readFile(join(folder, 'boat.mp4')).catch(() => Buffer.alloc(0))
    report.check('on Node: the video is saved', bytes.subarray(4, 8).toString() === 'ftyp', saved.content[0]?.text)
    await agent.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The server is killed somewhere within a call; the agent starts another one and calls again. */
async function proveKills(report: Report, kills: number): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const made: MadeVideo[] = []
  let answered = 0
  for (let index = 0; index < kills; index += 1) {
    const request = await wanted()
    const first = await connectMcp({ apiKey: account.apiKey, limits: unlimited })
    const call = first.call('generate_video', request).then(
      () => true,
      () => false,
    )
    await Bun.sleep((index * killedWithinMs) / kills)
    process.kill(first.pid, 'SIGKILL')
    if (await call) answered += 1
    await first.close()
    const second = await connectMcp({ apiKey: account.apiKey, limits: unlimited })
    made.push(madeOf(request.prompt, await second.call('generate_video', request)))
    await second.close()
  }
  report.figure('mcp.kills.answeredBefore', answered)
  report.check('kills met calls that were not answered yet', answered < kills, `${answered} of ${kills}`)
  await judgeVideos(report, 'mcp, killed servers', account, made)
}

/** Forty calls at once, each of which alone would fit: the budget pays for seven. */
async function proveBudget(report: Report): Promise<void> {
  const account = await openAccount({ credits: judgedCredits })
  const budget = { FILMGATE_MCP_BUDGET: String(videosPaidFor * price + price - 1) }
  const agent = await connectMcp({ apiKey: account.apiKey, limits: budget, url: settings.url })
  const requests = await Promise.all(Array.from({ length: atOnce }, wanted))
  const all = await Promise.all(requests.map(async request => madeOf(request.prompt, await agent.call('generate_video', request))))
  const made = all.filter(({ id }) => id !== undefined)
  report.check('the budget pays for as many as it has credits for', made.length === videosPaidFor, `${made.length}`)
  const refused = all.filter(({ error }) => error?.includes('of the budget of'))
  report.check('the others are refused in its name', refused.length === atOnce - videosPaidFor, JSON.stringify(all.slice(0, 3)))
  await agent.close()
  await judgeVideos(report, 'mcp, one budget', account, made)
}
