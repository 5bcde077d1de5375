import type { GenerationRequest } from '../generation/generation'
import type { FrameSize } from './frame-size'

/** Names of the files that were fetched, in the folder ffmpeg runs in. */
export type Inputs = { firstFrame?: string; lastFrame?: string; images: string[]; videos: string[]; audios: string[] }

/** File names are relative and of our own making, so nothing in a filter needs escaping. */
export type Composition = { request: GenerationRequest; size: FrameSize; inputs: Inputs; font: string; promptFile: string; output: string }
