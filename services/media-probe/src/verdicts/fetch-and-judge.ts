import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withSpan } from '@filmgate/kit/telemetry/trace'
import type { KindLimits } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CpuBudget } from '../child/cpu-budget'
import type { ByteBudget } from '../fetching/byte-budget'
import { type DownloadDeps, download } from '../fetching/download'
import type { Gate, SlotRequest } from '../fetching/gate'
import type { RunFolder } from '../fetching/work-folder'
import type { Measurement } from '../measuring/measurement'
import { type JudgeDeps, judge } from './judge'

export type FetchAndJudgeDeps = JudgeDeps & {
  fetching: Omit<DownloadDeps, 'onBytes'>
  /** Gates for connections and cores. */
  gates: { download: Gate; measure: Gate }
}

export type FetchAndJudgeInput = {
  accountId: string
  url: string
  limits: KindLimits
  declaredSeconds: number
  needsCopy: boolean
  /** The download's name in the folder. */
  name: string
  folder: RunFolder
  budget: ByteBudget
  cpu: CpuBudget
  signal: AbortSignal
}

/** Downloads and judges one file. Its copy is at `copyPath`, counted by the folder. */
export async function fetchAndJudge(
  deps: FetchAndJudgeDeps,
  input: FetchAndJudgeInput,
): Promise<{ measured: Measurement; copyPath: string }> {
  const { accountId, url, limits, declaredSeconds, needsCopy, name, folder, budget, cpu, signal } = input
  const slot = { account: accountId, host: URL.parse(url)?.hostname ?? '' }
  const path = join(folder.path, name)
  const copyPath = `${path}.copy`

  const file = await runInGate(deps.gates.download, slot, signal, 'download', () =>
    download({ ...deps.fetching, onBytes: folder.add }, { url, accountId, path, limits, budget, signal }),
  )
  const source = {
    ...{ path, copyPath, folder: folder.path, kind: limits.kind, format: file.format, limits, declaredSeconds },
    ...{ signal, cpu },
    async onCopy() {
      folder.add((await stat(copyPath)).size)
    },
  }
  const measured = await runInGate(deps.gates.measure, slot, signal, 'measure', () => judge(deps, { accountId, source, needsCopy }))
  await rm(path)
  folder.add(-file.bytes)
  deps.gates.download.recheck()
  return { measured, copyPath }
}

/** Runs the work in a span while it holds a slot of the gate. */
export async function runInGate<T>(gate: Gate, slot: SlotRequest, signal: AbortSignal, name: string, work: () => Promise<T>): Promise<T> {
  const release = await gate.acquire(slot, signal)
  try {
    return await withSpan(name, {}, work)
  } finally {
    release()
  }
}
