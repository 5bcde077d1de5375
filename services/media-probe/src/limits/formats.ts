/** The formats that a card may allow. */
export const formats = ['jpeg', 'png', 'webp', 'mp4', 'mov', 'mp3', 'wav'] as const
export type Format = (typeof formats)[number]

/** What a person can do with a file of another type, by a format that the field takes, or for any field. */
export type Advice = Partial<Record<Format | 'any', string>>
