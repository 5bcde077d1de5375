import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { withFile } from './file-view'
import { measureAudio } from './measure-audio'
import { measureImage } from './measure-image'
import { measureVideo } from './measure-video'
import type { Measured, Sample, Tools } from './measured'
import { refusePolyglot } from './polyglot'
import { sniffBytes } from './sniff'

/**
 * Measures one downloaded file: its structure first, in bounded reads of our own, then its streams and every frame by ffprobe and
 * ffmpeg in a child kept apart. Throws Failure<RejectionCode> where it is damaged, lies, or is outside the limits.
 */
export const measure = (tools: Tools, sample: Sample): Promise<Measured> =>
  withFile(sample.path, async file => {
    await refusePolyglot(file, await file.read(0, sniffBytes))
    if (sample.kind === MediaKind.IMAGE) return measureImage(tools, sample, file)
    if (sample.kind === MediaKind.VIDEO) return measureVideo(tools, sample, file)
    return measureAudio(tools, sample, file)
  })
