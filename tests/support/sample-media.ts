import { settings } from './settings'

/** The address of a picture, clip or tone made on demand by the stack's own HTTPS host, as in "lake-640x480.jpg" or "walk-5s.mp4". */
export const sampleMedia = (file: string) => `${settings.sampleMediaOrigin}/${file}`
