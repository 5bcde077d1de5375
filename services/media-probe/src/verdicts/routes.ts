import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { UploadQuestion, type UploadVerdict } from '@filmgate/proto/upload-verdict'
import { Elysia } from 'elysia'
import { type JudgeUploadDeps, judgeUpload } from './judge-upload'

/** POST /uploads/verdicts: the gateway's question. A signed address is its only right, and the store checks that. */
export const verdicts = (deps: JudgeUploadDeps) =>
  new Elysia({ name: 'verdicts', normalize: false }).post(
    '/uploads/verdicts',
    async function postVerdict({ request, server }): Promise<UploadVerdict> {
      const question = await readJsonAs(UploadQuestion, request)
      // Decoding may be silent for longer than the server waits for a slow client.
      server?.timeout(request, 0)
      return judgeUpload(deps, question)
    },
    takes(UploadQuestion),
  )
