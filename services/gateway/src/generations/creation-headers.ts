import { cancelAfterHeader, readCancelAfter } from '../cancel/read-cancel-after'
import { readTags, tagsHeader } from '../tags/read-tags'

/** What the headers of a POST that makes a task say beside its body, in either format; no part of the fingerprint. */
export const readCreationHeaders = (headers: Headers) => ({
  tags: readTags(headers.get(tagsHeader)),
  cancelAfterSeconds: readCancelAfter(headers.get(cancelAfterHeader)),
})
