import type { Format } from '../limits/formats'

/** Prefix of all copies of a task; a task id has no slash. */
export const inputPrefix = (taskId: string) => `inputs/${taskId}/`
export const inputsPrefix = 'inputs/'

/** The key contains the epoch, so a run that lost its lease can't overwrite its successor's copy. */
export const inputKey = (taskId: string, epoch: number, index: number, format: Format) =>
  `${inputPrefix(taskId)}${epoch}-${index}.${extensions[format]}`

export const taskIdOf = (key: string) => key.split('/')[1] ?? ''

const extensions: Record<Format, string> = { jpeg: 'jpg', png: 'png', webp: 'webp', mp4: 'mp4', mov: 'mov', mp3: 'mp3', wav: 'wav' }

export const contentTypes: Record<Format, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}
