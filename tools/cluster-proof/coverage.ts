import type { InputHashes } from './hash-inputs'

type Figures = Record<string, string | number | boolean>

/** The report of a green run, which is committed: what it ran on, and what it found. */
export type ClusterReport = {
  suite: 'cluster'
  date: string
  kubernetes: string
  inputs: InputHashes
  proofs: Record<string, Figures>
  /** Proofs whose parts no registry served, with the reason. */
  skipped: Record<string, string>
}

export type Coverage = { proven: boolean; sentence: string }

const namedMax = 12

/** Whether a report covers the present inputs, in one line; names what changed since. */
export function coverageOf(report: ClusterReport | undefined, present: InputHashes): Coverage {
  if (!report) return { proven: false, sentence: 'cluster needs a run: no report is committed' }
  const changed = changedInputs(report.inputs, present)
  const run = `the run of ${report.date} on Kubernetes ${report.kubernetes}`
  const skipped = Object.keys(report.skipped)
  if (skipped.length > 0) return { proven: false, sentence: `cluster needs a run: ${run} could not prove ${skipped.join(', ')}` }
  if (changed.length === 0)
    return { proven: true, sentence: `cluster proven by ${run}: ${Object.keys(report.proofs).length} proofs, inputs unchanged` }
  const named = changed.slice(0, namedMax)
  const more = changed.length > named.length ? ` and ${changed.length - named.length} more` : ''
  return { proven: false, sentence: `cluster needs a run: changed since ${run}: ${named.join(', ')}${more}` }
}

/** Inputs that are new, gone or different. */
export function changedInputs(before: InputHashes, now: InputHashes): string[] {
  const inputs = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...inputs].filter(input => before[input] !== now[input]).sort()
}
