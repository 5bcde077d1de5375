export const imageNames = ['gateway', 'console', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'simulator', 'webhooks'] as const
export type ImageName = (typeof imageNames)[number]
export const isImageName = (name: string): name is ImageName => (imageNames as readonly string[]).includes(name)
