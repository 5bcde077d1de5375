import { Failure } from '@filmgate/kit/failure'
import type { UploadQuestion, UploadVerdict } from '@filmgate/proto/upload-verdict'
import { Elysia } from 'elysia'
import { type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { type FormFields, readForm } from '../http/read-form'
import type { FindModels } from '../models/find-models'
import { type KindLimits, type MediaKind, mediaKinds } from '../models/model'
import { describeVerdict } from './describe-verdict'
import { type OpenUploadDeps, openUpload } from './open-upload'
import { ownUploadKey } from './own-upload'

export type UploadDeps = MemberDeps & OpenUploadDeps & { findModels: FindModels; takesUploads: boolean }

/** The gateway waits a minute for media-probe. */
const verdictMsMax = 65_000

/**
 * POST /accounts/:id/uploads: an upload URL for a file within the model's limits. POST …/uploads/verdicts: what checking
 * the uploaded file found. Both are 404 if uploads are off.
 */
export const uploads = (deps: UploadDeps) =>
  new Elysia({ name: 'uploads', normalize: false })
    .use(requireMember(deps))
    .post(
      '/accounts/:id/uploads',
      async function postUpload({ request, person, member, set }) {
        requireRole(member, 'member')
        if (!deps.takesUploads) throw new Failure<Reason>('not_found')
        const form = await readForm(request)
        const { limits } = await requireLimits(deps, person, form)
        const bytes = Number(form.get('bytes'))
        if (!Number.isSafeInteger(bytes) || bytes < 1) throw new Failure<Reason>('invalid_request', { message: 'The file is empty.' })
        set.status = 201
        return openUpload(deps, { person, accountId: member.accountId, type: form.get('type'), bytes, limits })
      },
      { parse: 'none' },
    )
    .post(
      '/accounts/:id/uploads/verdicts',
      async function postVerdict({ request, person, member }) {
        requireRole(member, 'member')
        const form = await readForm(request)
        const url = form.get('media_url')
        if (!deps.takesUploads || !ownUploadKey(url, member.accountId)) throw new Failure<Reason>('not_found')
        const { kind, limits } = await requireLimits(deps, person, form)
        const path = `/accounts/${member.accountId}/uploads/verdicts`
        const body = { url, kind, limits } satisfies UploadQuestion
        const answer = await deps.gateway.request<UploadVerdict>(person, { method: 'POST', path, body, timeoutMs: verdictMsMax })
        return describeVerdict(answer.ok ? answer.value : undefined)
      },
      { parse: 'none' },
    )

async function requireLimits(
  { findModels }: UploadDeps,
  person: Person,
  form: FormFields,
): Promise<{ kind: MediaKind; limits: KindLimits }> {
  const { data } = await findModels(person)
  const mode = data.find(({ id }) => id === form.get('model'))?.modes[form.get('mode')]
  const kind = mediaKinds.find(each => each === form.get('kind'))
  const limits = kind && mode?.media_limits?.[kind]
  if (!limits) throw new Failure<Reason>('invalid_request', { message: 'This model does not accept such a file.' })
  return { kind, limits }
}
