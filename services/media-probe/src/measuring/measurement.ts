import type { Format } from '../limits/formats'

/** What is known of a file after it was decoded to its end. Zero where the kind has no such thing. */
export type Measurement = { format: Format; width: number; height: number; frameRate: number; seconds: number }
