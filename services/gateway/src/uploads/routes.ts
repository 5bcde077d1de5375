import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { uploadBytesMax } from '@filmgate/proto/upload-formats'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { pollSeconds } from '../tasks/task'
import { type OpenUploadDeps, openUpload } from './open-upload'
import { type ReadUploadDeps, readUpload } from './read-upload'
import { uploadIdForm } from './upload-id'
import { openedUploadView, uploadView } from './upload-view'

export type UploadDeps = OpenUploadDeps & ReadUploadDeps

/** `bytes`: exactly; no card takes a larger file. */
export const UploadBody = Type.Object(
  { type: Type.String({ maxLength: 100 }), bytes: Type.Integer({ minimum: 1, maximum: uploadBytesMax }) },
  { additionalProperties: false },
)

/** POST /uploads: a signed PUT for one file. GET /uploads/{id}: whether it has arrived, and what checking it found. */
export const uploads = (deps: UploadDeps & AuthenticateDeps) =>
  new Elysia({ name: 'uploads', normalize: false })
    .use(authenticate(deps))
    .post(
      '/uploads',
      async function postUpload({ request, caller, set }) {
        const { type, bytes } = await readJsonAs(UploadBody, request)
        const { upload, put } = await openUpload(deps, { accountId: caller.accountId, type, bytes })
        set.status = 201
        return openedUploadView(upload, put)
      },
      takes(UploadBody),
    )
    .get('/uploads/:id', async function getUpload({ params: { id }, caller: { accountId }, leftMs, set }) {
      const upload = uploadIdForm.test(id) ? await readUpload(deps, { id, accountId, leftMs }) : undefined
      if (!upload) throw new Failure<Reason>('upload_not_found')
      if (!upload.finding) set.headers['retry-after'] = pollSeconds
      return uploadView(upload)
    })
