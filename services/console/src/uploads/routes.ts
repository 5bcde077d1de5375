import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import type { Reason } from '../errors'
import { readForm } from '../http/read-form'
import type { FindModels } from '../models/find-models'
import { mediaKinds } from '../models/model'
import { type PresignDeps, presignUpload } from './presign-upload'

export type UploadDeps = MemberDeps & { findModels: FindModels; now: () => Date; uploadStore?: PresignDeps['uploadStore'] }

/** POST /accounts/:id/uploads: an upload URL for a file within the model's limits. 404 if uploads are off. */
export const uploads = (deps: UploadDeps) =>
  new Elysia({ name: 'uploads', normalize: false }).use(requireMember(deps)).post(
    '/accounts/:id/uploads',
    async function postUpload({ request, person, member, set }) {
      requireRole(member, 'member')
      if (!deps.uploadStore) throw new Failure<Reason>('not_found')
      const form = await readForm(request)
      const { data } = await deps.findModels(person)
      const mode = data.find(({ id }) => id === form.get('model'))?.modes[form.get('mode')]
      const kind = mediaKinds.find(each => each === form.get('kind'))
      const limits = kind && mode?.media_limits?.[kind]
      if (!limits) throw new Failure<Reason>('invalid_request', { message: 'This model does not accept such a file.' })
      const bytes = Number(form.get('bytes'))
      if (!Number.isSafeInteger(bytes) || bytes < 1) throw new Failure<Reason>('invalid_request', { message: 'The file is empty.' })
      set.status = 201
      const asked = { person, accountId: member.accountId, type: form.get('type'), bytes, limits }
      return presignUpload({ ...deps, uploadStore: deps.uploadStore }, asked)
    },
    { parse: 'none' },
  )
