export type Size = { width: number; height: number }

export type CleanedPicture = {
  /** The coded size, as a decoder finds it. */
  coded: Size
  orientation: number | undefined
}

/** With the bytes of the copy: the client's image data and our headers. */
export type Picture = CleanedPicture & { buffers: Buffer[] }

export type CleanOptions = {
  /** Throws if the display size is outside the limits; called before anything is inflated. */
  checkDisplaySize(seen: Size): void
  signal: AbortSignal
}

/** The size as displayed: orientations from 5 on swap the sides. */
export const displaySize = ({ width, height }: Size, orientation: number | undefined): Size =>
  orientation !== undefined && orientation >= 5 ? { width: height, height: width } : { width, height }
