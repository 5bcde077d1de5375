export const serviceImages = ['gateway', 'console', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'simulator', 'webhooks'] as const
export const imageNames = [...serviceImages, 'ops'] as const
export type ImageName = (typeof imageNames)[number]
export const isImageName = (name: string): name is ImageName => (imageNames as readonly string[]).includes(name)
