import { addressesOf } from '@filmgate/tools/stack/addresses'
import { openInstance } from '@filmgate/tools/stack/instance'
import { instance, settings } from '../support/settings'
import { type FaultyLine, startLine } from './chaos/line'
import { storageLinePort } from './prepare'

/** Between two cuts, at most. */
const bytesBetweenMax = 400_000

let isQuiet = false
let opened: { line: FaultyLine; target: string } | undefined

/** Between clients and videos: it cuts downloads at random bytes. run.ts opens it before the first part. */
export async function openStorageLine(): Promise<FaultyLine> {
  const target = addressesOf(openInstance(instance, settings.portBase)).s3.endpoint
  const fault = () => {
    const bytes = 1 + Math.floor(Math.random() * bytesBetweenMax)
    return {
      direction: 'down' as const,
      how: 'cut' as const,
      get afterBytes() {
        return isQuiet ? Number.POSITIVE_INFINITY : bytes
      },
    }
  }
  const line = await startLine(() => [target], fault, storageLinePort(settings.portBase))
  opened = { line, target }
  return line
}

/** The line that is open, and the storage behind it. */
export function storageLine(): { line: FaultyLine; target: string } {
  if (!opened) throw new Error('the line to the storage is not open')
  return opened
}

/** Nothing is cut meanwhile: for programs that download once, such as curl. */
export async function withoutCuts(work: () => Promise<void>): Promise<void> {
  isQuiet = true
  await work().finally(() => {
    isQuiet = false
  })
}
