import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf } from '@filmgate/tools/stack/addresses'
import { databaseOwners } from '@filmgate/tools/stack/contents/database-owners'
import { databaseUrl } from '@filmgate/tools/stack/contents/databases'
import { openInstance, root } from '@filmgate/tools/stack/instance'
import { alertSections } from '@filmgate/tools/verify/alerting/runbook'
import { logSize } from '../../../support/servers/service-log'
import { instance, settings } from '../../../support/settings'
import type { Alert } from './prometheus'

const services = ['gateway', 'ledger', 'media-probe', 'dispatcher', 'catalog', 'console', 'webhooks']
/** They ask which pods run: `stack status` says it here. Other commands of kubectl have no counterpart, and the next of the block is run. */
const podsCommand = /^k get (pods|deploy)/

export type Shown = { command: string; output: string }

/** From now on, as an operator does it who was called by an alert: pastes the first command of the alert's block, with its labels filled in. */
export function openShell(): { run(alert: Alert): Promise<Shown> } {
  const from = new Map(services.map(service => [service, logSize(service)]))
  return {
    async run(alert) {
      const command = fillIn(firstCommand(alert.name), alert)
      const script = `${functions(from)}\n${command}`
      const env = { ...process.env, FILMGATE_INSTANCE: instance }
      const child = Bun.spawn(['bash', '-c', script], { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
      return { command, output: stdout + stderr }
    },
  }
}

function firstCommand(name: string): string {
  const section = alertSections(readFileSync(join(root, 'docs/operations.md'), 'utf8')).find(one => one.name === name)
  const command = section?.blocks[0]?.find(one => !one.startsWith('k ') || podsCommand.test(one))
  if (!command) throw new Error(`the section of ${name} has no command that can be run on the local stack`)
  return command
}

/** `<service>` is the alert's job, or what its consumer group begins with; `<provider>`, `<model>` and the like are labels. */
function fillIn(command: string, { labels }: Alert): string {
  const named = (labels.job ?? labels.group ?? '').replace(/^filmgate[-.]/, '')
  const service = services.find(each => named === each || named.startsWith(`${each}-`))
  return command.replaceAll(/<([a-z]+)>/g, (_, name: string) => {
    const value = name === 'service' ? service : labels[name]
    if (!value) throw new Error(`${command}: the alert does not say which ${name}`)
    return value
  })
}

/** The runbook's four functions for the local stack. Logs are shown since the fault: an operator reads those of the last minutes. */
function functions(from: Map<string, number>): string {
  const addresses = addressesOf(openInstance(instance, settings.portBase))
  const bun = process.execPath
  const files = [...from].map(([service, size]) => `${service}) tail -qc +${size + 1} .local/${instance}/logs/${service}.log;;`)
  const urls = databaseOwners.map(owner => `${owner}) url='${databaseUrl(addresses, owner)}';;`)
  return `
    k() { ${bun} tools/stack.ts status --instance ${instance}; }
    ops() { ${bun} tools/ops.ts "$@"; }
    logs() { case $1 in ${files.join(' ')} esac; }
    db() { case $1 in ${urls.join(' ')} esac; ${bun} -e 'console.log(JSON.stringify(await new Bun.SQL(process.argv[1]).unsafe(process.argv.at(-1))))' "$url" "$3"; }`
}
