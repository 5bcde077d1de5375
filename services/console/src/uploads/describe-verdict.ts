import type { UploadVerdict } from '@filmgate/proto/upload-verdict'

/** What the field shows of an upload. `seconds`: the length as requests declare it. */
export type VerdictView =
  | { verdict: 'fits'; facts: string; seconds?: number }
  | { verdict: 'rejected'; message: string }
  | { verdict: 'unknown' }

const length = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** `1920 × 1080 px, 3.4 s` of a clip. */
export function describeVerdict(verdict: UploadVerdict | undefined): VerdictView {
  if (!verdict) return { verdict: 'unknown' }
  if (verdict.verdict === 'rejected') return { verdict: 'rejected', message: verdict.message }
  const { width, height, seconds, declared_seconds } = verdict
  const facts = [width > 0 && `${width} × ${height} px`, seconds > 0 && `${length.format(seconds)} s`].filter(Boolean).join(', ')
  return { verdict: 'fits', facts, ...(declared_seconds > 0 && { seconds: declared_seconds }) }
}
