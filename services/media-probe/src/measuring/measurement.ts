import type { Format } from '../limits/formats'

/** The properties of a decoded file; 0 if the kind has no such property. */
export type Measurement = { format: Format; width: number; height: number; frameRate: number; seconds: number }
