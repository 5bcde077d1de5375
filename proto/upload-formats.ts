/** The media formats of cards with their MIME types. An upload is stored under `type`, whichever of them was sent. */
const formats: Record<string, UploadFormat & { others?: string[]; label: string }> = {
  jpeg: { kind: 'image', type: 'image/jpeg', label: 'JPEG', ending: 'jpg' },
  png: { kind: 'image', type: 'image/png', label: 'PNG', ending: 'png' },
  webp: { kind: 'image', type: 'image/webp', label: 'WebP', ending: 'webp' },
  mp4: { kind: 'video', type: 'video/mp4', label: 'MP4', ending: 'mp4' },
  mov: { kind: 'video', type: 'video/quicktime', label: 'MOV', ending: 'mov' },
  mp3: { kind: 'audio', type: 'audio/mpeg', others: ['audio/mp3'], label: 'MP3', ending: 'mp3' },
  wav: { kind: 'audio', type: 'audio/wav', others: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'], label: 'WAV', ending: 'wav' },
}

export type UploadFormat = { kind: 'image' | 'video' | 'audio'; type: string; ending: string }

/** The largest file that any card takes (media-probe's fileBytesMax). */
export const uploadBytesMax = 52_428_800

const all = Object.keys(formats)

/** The format of a file by its MIME type, among those `taken`. */
export function uploadFormatOf(type: string, taken: string[] = all): UploadFormat | undefined {
  const name = taken.find(each => typesOf([each]).includes(type))
  return name === undefined ? undefined : formats[name]
}

export const uploadFormatOfEnding = (ending: string): UploadFormat | undefined =>
  Object.values(formats).find(format => format.ending === ending)

/** Names of the formats of a kind, as cards write them. */
export const formatsOfKind = (kind: UploadFormat['kind']): string[] => all.filter(name => formats[name]?.kind === kind)

export const typesOf = (names: string[] = all): string[] =>
  names.flatMap(name => (formats[name] ? [formats[name].type, ...(formats[name].others ?? [])] : []))

/** `JPEG, PNG or WebP`. */
export const formatNames = (taken: string[]): string =>
  new Intl.ListFormat('en-US', { type: 'disjunction' })
    .format(taken.map(name => formats[name]?.label ?? name.toUpperCase()))
    .replace(/, or /, ' or ')
