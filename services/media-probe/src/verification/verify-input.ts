import { rm } from 'node:fs/promises'
import { invariant } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { InputMedia, Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CpuBudget } from '../child/cpu-budget'
import { copyInput } from '../copies/copy-input'
import { inputKey } from '../copies/object-keys'
import { asStoreFault } from '../errors'
import type { ByteBudget } from '../fetching/byte-budget'
import type { Gate } from '../fetching/gate'
import type { RunFolder } from '../fetching/work-folder'
import { formats } from '../limits/formats'
import { type FetchAndJudgeDeps, fetchAndJudge, runInGate } from '../verdicts/fetch-and-judge'
import type { VerifiedInput } from './record-decision'

export type InputDeps = FetchAndJudgeDeps & {
  store: ObjectStore
  /** Gates for connections, cores, and bandwidth to the store. */
  gates: { download: Gate; measure: Gate; copy: Gate }
}

export type VerifyRun = { order: Order; epoch: number; folder: RunFolder; budget: ByteBudget; cpu: CpuBudget; signal: AbortSignal }

const measured = counter('probe_files_measured', 'Files measured and copied', { format: formats })

/** Downloads, cleans, measures and stores one input of a task. Throws Failure<RejectionCode> if it is unusable. */
export async function verifyInput(deps: InputDeps, run: VerifyRun, input: InputMedia, position: number): Promise<VerifiedInput> {
  const { order, epoch, folder, signal } = run
  const limits = order.mediaLimits?.kinds.find(({ kind }) => kind === input.kind)
  invariant(limits, `the order has no limits for kind ${input.kind}`)
  const { accountId } = order
  const { url, declaredSeconds } = input
  const file = { accountId, url, limits, declaredSeconds, needsCopy: true, name: String(position) }
  const { measured: found, copyPath } = await fetchAndJudge(deps, { ...run, ...file })
  const objectKey = inputKey(order.taskId, epoch, position, found.format)
  const slot = { account: accountId, host: URL.parse(url)?.hostname ?? '' }
  const stored = await runInGate(deps.gates.copy, slot, signal, 'copy', () =>
    asStoreFault(copyInput(deps.store, { path: copyPath, key: objectKey, format: found.format, signal })),
  )
  await rm(copyPath)
  folder.add(-stored.bytes)
  deps.gates.download.recheck()
  measured.add(1, { format: found.format })
  return { input, objectKey, ...found, bytes: BigInt(stored.bytes), sha256: stored.sha256 }
}
