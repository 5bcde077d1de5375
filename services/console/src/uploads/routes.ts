import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { type FormFields, readForm } from '../http/read-form'
import type { FindModels } from '../models/find-models'
import { type KindLimits, type MediaKind, mediaKinds } from '../models/model'
import { describeVerdict } from './describe-verdict'
import type { JudgeUpload } from './judge-upload'
import { ownUploadKey } from './own-upload'
import { type PresignDeps, presignUpload } from './presign-upload'

export type UploadDeps = MemberDeps &
  Omit<PresignDeps, 'uploadStore'> & { findModels: FindModels; uploadStore?: PresignDeps['uploadStore']; judgeUpload?: JudgeUpload }

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
        if (!deps.uploadStore) throw new Failure<Reason>('not_found')
        const form = await readForm(request)
        const { limits } = await requireLimits(deps, person, form)
        const bytes = Number(form.get('bytes'))
        if (!Number.isSafeInteger(bytes) || bytes < 1) throw new Failure<Reason>('invalid_request', { message: 'The file is empty.' })
        set.status = 201
        const asked = { person, accountId: member.accountId, type: form.get('type'), bytes, limits }
        return presignUpload({ ...deps, uploadStore: deps.uploadStore }, asked)
      },
      { parse: 'none' },
    )
    .post(
      '/accounts/:id/uploads/verdicts',
      async function postVerdict({ request, person, member }) {
        requireRole(member, 'member')
        const form = await readForm(request)
        const key = ownUploadKey(form.get('media_url'), member.accountId)
        if (!deps.uploadStore || key === undefined) throw new Failure<Reason>('not_found')
        const { kind, limits } = await requireLimits(deps, person, form)
        return describeVerdict(await deps.judgeUpload?.({ key, kind, limits }))
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
