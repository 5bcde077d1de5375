import { typesOf, uploadBytesMax } from '@filmgate/proto/upload-formats'
import type { Schema } from '../../../rules/json-schema'
import { object, oneOf, ref, text, time } from './shape'

const id = text('Names the upload.')
const expiresAt = time('When it is deleted.')

export const uploadSchemas: Record<string, Schema> = {
  NewUpload: object('A file that will be uploaded.', {
    type: oneOf(typesOf(), 'Its media type.'),
    bytes: { type: 'integer', minimum: 1, maximum: uploadBytesMax, description: 'Its exact length.' },
  }),
  OpenedUpload: object('Where to put a file, and the URL that requests name it by.', {
    id,
    put_url: text('Takes the file by PUT for 15 minutes, without an API key. Whoever holds it can upload: keep it to yourself.', {
      format: 'uri',
    }),
    put_headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers that the PUT needs exactly.' },
    url: text('The input URL for requests of this account. Nothing else can fetch it.', { format: 'uri' }),
    expires_at: expiresAt,
  }),
  Upload: object(
    'What became of an upload.',
    {
      id,
      status: oneOf(
        ['waiting', 'accepted', 'refused'],
        'waiting: the file has not arrived, or is not checked yet. accepted: it is a sound file of its kind. refused: no request can use it, and issue says why.',
      ),
      issue: ref('UploadIssue', 'Why it was refused.'),
      expires_at: expiresAt,
    },
    ['issue'],
  ),
  UploadIssue: object('What is wrong with a file.', {
    code: text('For programs: a code of errors that begins with `media_`.'),
    message: text('For people. The words may change.'),
  }),
}
