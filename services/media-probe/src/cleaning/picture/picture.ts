export type Size = { width: number; height: number }

export type CleanedPicture = {
  /** The sides as they are coded: what a decoder finds. */
  coded: Size
  orientation: number | undefined
}

/** With the bytes of our own copy, in order: the client's where they are picture, and heads of ours. */
export type Picture = CleanedPicture & { buffers: Buffer[] }

export type CleanOptions = {
  /** Throws where the picture, as it is seen, is outside the limits; called before anything is inflated. */
  checkDisplaySize(seen: Size): void
  signal: AbortSignal
}

/** As a viewer shows it: an orientation from 5 on lies on its side. */
export const displaySize = ({ width, height }: Size, orientation: number | undefined): Size =>
  orientation !== undefined && orientation >= 5 ? { width: height, height: width } : { width, height }
