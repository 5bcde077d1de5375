import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { invariant } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { withSpan } from '@filmgate/kit/telemetry/trace'
import type { InputMedia, Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CpuBudget } from '../child/cpu-budget'
import type { Tools } from '../child/tools'
import { copyInput } from '../copies/copy-input'
import { inputKey } from '../copies/object-keys'
import { asStoreFault } from '../errors'
import type { ByteBudget } from '../fetching/byte-budget'
import { type DownloadDeps, download } from '../fetching/download'
import type { Gate } from '../fetching/gate'
import type { RunFolder } from '../fetching/work-folder'
import { formats } from '../limits/formats'
import { measure } from '../measuring/measure'
import type { VerifiedInput } from './record-decision'

export type InputDeps = {
  fetching: Omit<DownloadDeps, 'onBytes'>
  tools: Tools
  store: ObjectStore
  /** Gates for connections, cores, and bandwidth to the store. */
  gates: { download: Gate; measure: Gate; copy: Gate }
}

export type VerifyRun = { order: Order; epoch: number; folder: RunFolder; budget: ByteBudget; cpu: CpuBudget; signal: AbortSignal }

const measured = counter('probe_files_measured', 'Files measured and copied', { format: formats })

/** Downloads, cleans, measures and stores one input of a task. Throws Failure<RejectionCode> if it is unusable. */
export async function verifyInput(deps: InputDeps, run: VerifyRun, input: InputMedia, position: number): Promise<VerifiedInput> {
  const { order, epoch, folder, budget, cpu, signal } = run
  const limits = order.mediaLimits?.kinds.find(({ kind }) => kind === input.kind)
  invariant(limits, `the order has no limits for kind ${input.kind}`)
  const request = { account: order.accountId, host: URL.parse(input.url)?.hostname ?? '' }
  const path = join(folder.path, String(position))
  const copyPath = `${path}.copy`

  const file = await runInGate(deps.gates.download, request, signal, 'download', () =>
    download({ ...deps.fetching, onBytes: folder.add }, { url: input.url, accountId: order.accountId, path, limits, budget, signal }),
  )
  const source = {
    path,
    copyPath,
    folder: folder.path,
    kind: input.kind,
    format: file.format,
    limits,
    declaredSeconds: input.declaredSeconds,
    ...{ signal, cpu },
    async onCopy() {
      folder.add((await stat(copyPath)).size)
    },
  }
  const found = await runInGate(deps.gates.measure, request, signal, 'measure', () => measure(deps.tools, source))
  await rm(path)
  folder.add(-file.bytes)
  deps.gates.download.recheck()
  const objectKey = inputKey(order.taskId, epoch, position, file.format)
  const stored = await runInGate(deps.gates.copy, request, signal, 'copy', () =>
    asStoreFault(copyInput(deps.store, { path: copyPath, key: objectKey, format: file.format, signal })),
  )
  await rm(copyPath)
  folder.add(-stored.bytes)
  deps.gates.download.recheck()
  measured.add(1, { format: file.format })
  return { input, objectKey, ...found, bytes: BigInt(stored.bytes), sha256: stored.sha256 }
}

/** Runs the work in a span while it holds a slot of the gate. */
async function runInGate<T>(
  gate: Gate,
  request: { account: string; host: string },
  signal: AbortSignal,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const release = await gate.acquire(request, signal)
  try {
    return await withSpan(name, {}, work)
  } finally {
    release()
  }
}
