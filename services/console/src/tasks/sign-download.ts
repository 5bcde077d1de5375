import { type ObjectStore, objectKeyOf } from '@filmgate/kit/object-store'
import type { TaskView } from '../gateway/gateway'
import { titleOf } from './task-text'

export type DownloadDeps = {
  /** The store of videos and the start of their URLs. Without them a download opens the video. */
  outputStore?: Pick<ObjectStore, 'presignGet'> | undefined
  outputBaseUrl?: string | undefined
}

/** A download starts at once; the URL is of no use later. */
const signedSeconds = 300

/** The URL that a browser saves the task's video from. Undefined if the task has no video. */
export async function signDownload({ outputStore, outputBaseUrl }: DownloadDeps, task: TaskView): Promise<string | undefined> {
  const url = task.output?.video_url
  const key = url === undefined ? undefined : objectKeyOf(outputBaseUrl, url)
  return outputStore && key !== undefined ? outputStore.presignGet(key, signedSeconds, attachment(fileNameOf(task))) : url
}

const wordsCharactersMax = 60

/** `a-paper-boat-drifts-k3x9q2.mp4`: words of the prompt, and enough of the id to tell two apart. */
export function fileNameOf(task: Pick<TaskView, 'id' | 'prompt'>): string {
  const words = titleOf(task)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
  let name = ''
  for (const word of words) if (`${name}-${word}`.length <= wordsCharactersMax) name = name === '' ? word : `${name}-${word}`
  return name === '' || task.prompt === null ? `filmgate-${task.id}.mp4` : `${name}-${task.id.slice(-6)}.mp4`
}

/** RFC 6266: a name that is not ASCII is given twice. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\x20-\x7e]+/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`
