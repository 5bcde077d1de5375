/** The formats that a card may allow. */
export const formats = ['jpeg', 'png', 'webp', 'mp4', 'mov', 'mp3', 'wav'] as const
export type Format = (typeof formats)[number]
