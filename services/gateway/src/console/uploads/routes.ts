import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { uploadAt } from '@filmgate/kit/upload-url'
import { UploadQuestion, type UploadVerdict } from '@filmgate/proto/upload-verdict'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import { openUpload } from '../../uploads/open-upload'
import { UploadBody, type UploadDeps } from '../../uploads/routes'
import { openedUploadView } from '../../uploads/upload-view'
import { type AuthDeps, accountAuth, throwIfClosed } from '../auth'

export type UploadRouteDeps = AuthDeps & UploadDeps

/** A person waits for it at the field. media-probe goes on, and the request finds what it has found. */
const judgeMsMax = 60_000

export const uploadRoutes = (deps: UploadRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .post(
      '/accounts/:id/uploads',
      async function postUpload({ request, account, set }) {
        throwIfClosed(account)
        const { type, bytes } = await readJsonAs(UploadBody, request)
        const { upload, put } = await openUpload(deps, { accountId: account.id, type, bytes })
        set.status = 201
        return openedUploadView(upload, put)
      },
      takes(UploadBody),
    )
    .post(
      '/accounts/:id/uploads/verdicts',
      async function postVerdict({ request, account }): Promise<UploadVerdict> {
        const { url, kind, limits } = await readJsonAs(UploadQuestion, request)
        const upload = uploadAt(url)
        if (upload?.accountId !== account.id) throw new Failure<Reason>('upload_not_found')
        const verdict = await deps.judgeUpload?.({ key: upload.key, kind, limits, waitMsMax: judgeMsMax })
        if (!verdict) throw new Failure<Reason>('service_unavailable', { internal: 'an upload was not judged' })
        return verdict
      },
      takes(UploadQuestion),
    )
