import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf, buckets } from '@filmgate/tools/stack/addresses'
import { openInstance } from '@filmgate/tools/stack/instance'
import { applyTopics } from '@filmgate/tools/stack/server-starts'
import { instance, settings } from '../../../support/settings'
import { move } from '../../../support/stack'

const stack = () => openInstance(instance, settings.portBase)

/** The broker is lost with its disk: records, offsets and topics. It comes back empty. */
export async function loseKafka(): Promise<void> {
  await move('kafka', 'kill')
  rmSync(join(stack().dir, 'kafka'), { recursive: true, force: true })
  await move('kafka', 'start')
}

/** As the chart's Job does. */
export const makeTopics = (): Promise<void> => applyTopics(addressesOf(stack()))

/** Of the outputs all that are newer are gone; returns how many. */
export function loseOutputs(since: Date): number {
  const folder = join(stack().dir, 's3', buckets.outputs)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const lost = files.map(({ parentPath, name }) => join(parentPath, name)).filter(path => statSync(path).mtimeMs > since.getTime())
  for (const path of lost) rmSync(path)
  return lost.length
}
