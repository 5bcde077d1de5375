import { invariant } from '@filmgate/kit/failure'
import { formatsOfKind, uploadFormatOfEnding } from '@filmgate/proto/upload-formats'
import type { UploadVerdict } from '@filmgate/proto/upload-verdict'
import { readAlone } from '../database/batched-read'
import type { JudgeUpload } from './judge-upload'
import { keyOf, type OpenUploadDeps, uploadsKeptMs } from './open-upload'
import { findUpload, keepFinding, type Upload } from './upload-repository'

export type ReadUploadDeps = Pick<OpenUploadDeps, 'sql' | 'uploads' | 'now'> & { judgeUpload: JudgeUpload | undefined }

/** A client waits for it; media-probe goes on, and the next read finds what it has found. */
const judgeMsMax = 20_000

/**
 * An upload of the account with what checking it found. It is checked at the first read after it arrived, by what all models want of its
 * kind: a model's own limits are checked with the request.
 */
export async function readUpload(
  deps: ReadUploadDeps,
  { id, accountId, leftMs }: { id: string; accountId: string; leftMs: number },
): Promise<Upload | undefined> {
  const keptFrom = new Date(deps.now().getTime() - uploadsKeptMs)
  const upload = await readAlone(findUpload(deps.sql, { id, accountId, keptFrom }), leftMs)
  if (!upload || upload.finding || !(await deps.uploads?.own.head(keyOf(upload)))) return upload
  const finding = await judge(deps, upload)
  if (finding) await keepFinding(deps.sql, id, finding)
  return { ...upload, finding: finding ?? null }
}

async function judge({ judgeUpload }: ReadUploadDeps, upload: Upload): Promise<UploadVerdict | undefined> {
  const format = uploadFormatOfEnding(upload.ending)
  invariant(format, 'an upload has the ending of a format')
  return judgeUpload?.({ key: keyOf(upload), kind: format.kind, limits: { formats: formatsOfKind(format.kind) }, waitMsMax: judgeMsMax })
}
