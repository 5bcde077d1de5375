import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../support/servers/program'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import type { Packages } from './packages'
import { type Body, fillSample, samples } from './programs'
import { commandOf, type Fresh, faultOfVideo, freshFolder } from './run-program'

const filesOf = (name: string): string[] => samples().find(({ sample }) => sample === name)?.files ?? []

const start = (command: string[], { folder, env }: Fresh, more: Record<string, string>) =>
  Bun.spawn(command, { cwd: folder, env: { ...env, ...more }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })

/** Killed once its task is there, and started again: one task, one charge, and the video. */
export async function proveResume(report: Report, packages: Packages, body: Body): Promise<void> {
  for (const file of filesOf('resume-after-crash')) {
    using fresh = await freshFolder(packages)
    const command = commandOf(fillSample('resume-after-crash', file, body), fresh)
    const more = { ORDER_ID: `order-${crypto.randomUUID()}` }
    const tasks = async () => (JSON.parse((await fresh.account.api.get('/tasks')).text) as { data: { id: string }[] }).data
    const first = start(command, fresh, more)
    await until('its task, or its end', async () => first.exitCode !== null || (await tasks()).length > 0, 60_000, 1_000)
    first.kill('SIGKILL')
    await first.exited
    const second = start(command, fresh, more)
    const words = await second.stderr.text()
    report.check(`resume-after-crash/${file} goes on after a kill`, (await second.exited) === 0, words.slice(-2_000))
    report.check(`resume-after-crash/${file} makes one task`, (await tasks()).length === 1)
    const fault = await faultOfVideo(join(fresh.folder, `${more.ORDER_ID}.mp4`))
    report.check(`resume-after-crash/${file} saves its video`, fault === undefined, fault)
  }
}

/** A signed event is taken once and its video saved; a forged and an old one are refused. */
export async function proveReceiver(report: Report, packages: Packages, body: Body): Promise<void> {
  for (const file of filesOf('webhook-receiver')) {
    using fresh = await freshFolder(packages)
    const { api } = fresh.account
    const made = await api.generate(body)
    const task = await api.taskOnce(made.body.id)
    const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`
    const port = freePort()
    const server = start(commandOf(fillSample('webhook-receiver', file, body), fresh), fresh, {
      ...{ FILMGATE_WEBHOOK_SECRET: secret, PORT: String(port) },
    })
    try {
      const event = { type: 'task.completed', timestamp: new Date().toISOString(), data: { task, tags: {} } }
      const send = createSender(`http://127.0.0.1:${port}`, JSON.stringify(event))
      await until('the receiver', () => send(secret).catch(() => undefined))
      const path = join(fresh.folder, `${task.id}.mp4`)
      const fault = await until('its video', async () => ((await Bun.file(path).exists()) ? { is: await faultOfVideo(path) } : undefined))
      report.check(`webhook-receiver/${file} saves the video of a signed event`, fault.is === undefined, fault.is)
      report.check(`webhook-receiver/${file} takes it again`, (await send(secret)) === 204)
      const forged = await send(`whsec_${Buffer.from('somebody else, who knows no secret').toString('base64')}`)
      report.check(`webhook-receiver/${file} refuses a forged event`, forged === 400, String(forged))
      const old = await send(secret, new Date(Date.now() - 3_600_000))
      report.check(`webhook-receiver/${file} refuses an old event`, old === 400, String(old))
    } finally {
      server.kill()
      await server.exited
    }
  }
}

const createSender =
  (url: string, payload: string) =>
  async (secret: string, at = new Date()): Promise<number> => {
    const id = 'msg_1'
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': id },
      ...{ 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)), 'webhook-signature': new Webhook(secret).sign(id, at, payload) },
    }
    return (await fetch(url, { method: 'POST', headers, body: payload, keepalive: false })).status
  }
