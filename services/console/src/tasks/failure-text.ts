import type { TaskView } from '../gateway/gateway'

/** Why a task failed, and whether the same request can succeed. */
export type FailureText = { why: string; retry: string }

const changeRequest = 'The same request will most likely fail again. Change the prompt or the files.'

/** By the codes that a provider's answer causes. The gateway's own message addresses programs. */
const texts: Record<string, FailureText> = {
  generation_failed: {
    why: 'The provider took the request and then could not make the video.',
    retry: 'Such failures are often temporary, so trying again can help. If it fails twice, take another model.',
  },
  prompt_rejected: { why: 'The provider refused the prompt or a file by its content rules.', retry: changeRequest },
  output_moderated: { why: 'The provider made the video and withheld it by its content rules.', retry: changeRequest },
  output_unavailable: {
    why: 'The provider made the video, but its file could not be read.',
    retry: 'Trying again can help.',
  },
  cancelled: { why: 'The task was cancelled.', retry: '' },
  generation_unavailable: {
    why: 'The video could not be started: no provider took the request, or something on our side failed.',
    retry: 'Trying again later can help, and so can another model.',
  },
  media_unreachable: {
    why: 'A file could not be read from its address.',
    retry: 'Check that the address opens without signing in, then try again. Or upload the file.',
  },
}

/** The other media codes name the file and its fault. */
export function failureText({ error }: Pick<TaskView, 'error'>): FailureText {
  if (error === null) return { why: 'There is no video.', retry: '' }
  const text = texts[error.code]
  if (text) return text
  return { why: error.message, retry: error.code.startsWith('media_') ? 'Trying again helps only with another file.' : '' }
}
