/** Not a host of any network: the gateway takes it through the console's door alone, and media-probe reads such inputs from the bucket. */
export const uploadsOrigin = 'https://uploads.filmgate.internal'

/** What a request names an upload by. */
export const mediaUrlOf = (key: string): string => `${uploadsOrigin}/${key}`

export const isUpload = (text: unknown): boolean => typeof text === 'string' && text.startsWith(`${uploadsOrigin}/`)
