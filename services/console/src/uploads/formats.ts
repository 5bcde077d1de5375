/** The media formats of cards with their MIME types. The first type of each is the one that is signed. */
const formats: Record<string, { type: string; others?: string[]; label: string; ending: string }> = {
  jpeg: { type: 'image/jpeg', label: 'JPEG', ending: 'jpg' },
  png: { type: 'image/png', label: 'PNG', ending: 'png' },
  webp: { type: 'image/webp', label: 'WebP', ending: 'webp' },
  mp4: { type: 'video/mp4', label: 'MP4', ending: 'mp4' },
  mov: { type: 'video/quicktime', label: 'MOV', ending: 'mov' },
  mp3: { type: 'audio/mpeg', others: ['audio/mp3'], label: 'MP3', ending: 'mp3' },
  wav: { type: 'audio/wav', others: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'], label: 'WAV', ending: 'wav' },
}

/** The accepted format of a file by its MIME type. */
export function formatOf(type: string, taken: string[]): { type: string; ending: string } | undefined {
  const name = taken.find(each => formats[each]?.type === type || formats[each]?.others?.includes(type))
  return name === undefined ? undefined : formats[name]
}

/** For the `accept` attribute of a file input. */
export const acceptOf = (taken: string[]): string =>
  taken.flatMap(name => (formats[name] ? [formats[name].type, ...(formats[name].others ?? [])] : [])).join(',')

/** `JPEG, PNG or WebP`. */
export const formatNames = (taken: string[]): string =>
  new Intl.ListFormat('en-US', { type: 'disjunction' })
    .format(taken.map(name => formats[name]?.label ?? name.toUpperCase()))
    .replace(/, or /, ' or ')
