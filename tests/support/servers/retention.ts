import { join, resolve } from 'node:path'
import { settings } from '../settings'

/** What the chart's CronJob does once a day, with the settings that are in force where nobody sets others. */
export async function deleteOldTasks(): Promise<void> {
  const child = Bun.spawn([process.execPath, 'src/tasks/retention.ts'], {
    cwd: resolve(join(import.meta.dir, '../../../services/gateway')),
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', DATABASE_URL: settings.postgresUrl.replace(/\/[^/]*$/, '/filmgate_gateway') },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error(`the retention ended with ${child.exitCode}`)
}
