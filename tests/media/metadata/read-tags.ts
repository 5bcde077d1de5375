import { runTool } from '../corpus/judge/run-tool'

/** What exiftool may show: the file itself, the form of its pixels or samples, orientation, and colour. */
const allowed = [
  /^(?:SourceFile|System:|ExifTool:ExifToolVersion|File:(?!Comment)|Composite:(?:ImageSize|Megapixels|Rotation|AvgBitrate|Duration|AudioBitrate))/,
  /^ICC[-_]/,
  /^JFIF:/,
  /^IFD0:Orientation$/,
  /^Adobe:(?:DCTEncodeVersion|APP14Flags[01]|ColorTransform)$/,
  /^PNG:(?:ImageWidth|ImageHeight|BitDepth|ColorType|Compression|Filter|Interlace|Palette|Transparency|Gamma|SRGBRendering|SignificantBits|BackgroundColor|ProfileName)$/,
  /^PNG-cHRM:/,
  /^RIFF:(?:ImageWidth|ImageHeight|VP8Version|HorizontalScale|VerticalScale|AlphaIsUsed|WebP_Flags|AlphaPreprocessing|AlphaFiltering|AlphaCompression|Encoding|NumChannels|SampleRate|AvgBytesPerSec|BitsPerSample|NumberOfSamples)$/,
  /^MPEG:(?!Encoder$|LameVBR|LameMethod|LameQuality)/,
  /^(?:QuickTime|Track\d+):(?:MajorBrand|MinorVersion|CompatibleBrands|MediaDataSize|MediaDataOffset|MovieHeaderVersion|TimeScale|Duration|PreferredRate|PreferredVolume|Preview\w*|Poster\w*|Selection\w*|CurrentTime|NextTrackID|TrackHeaderVersion|TrackID|TrackDuration|TrackLayer|TrackVolume|MatrixStructure|ImageWidth|ImageHeight|GraphicsMode|OpColor|CompressorID|SourceImage\w+|[XY]Resolution|BitDepth|PixelAspectRatio|VideoFrameRate|VideoAvgFrameRate|Balance|Audio\w+|MediaHeaderVersion|MediaTimeScale|MediaDuration|MediaLanguageCode|Handler\w+|Color\w+|Matrix\w+|Transfer\w+|VideoFullRangeFlag|VideoFieldOrder|CleanAperture\w*|BufferSize|MaxBitrate|AverageBitrate|VendorID|CompressorName|PurchaseFileFormat|LayoutFlags|AudioChannel\w*)$/,
]
const dates = /^(?:QuickTime|Track\d+):(?:Create|Modify|TrackCreate|TrackModify|MediaCreate|MediaModify)Date$/
/** Names that the muxer writes by itself. */
const own =
  /^(?:VideoHandler|SoundHandler|DataHandler|FFMPEG|FFMP|FFmpeg|Lav[cf].*|\(Binary.*|url|mdta|Video Track|Audio Track|Alias Data|URL|Data Handler|Media Handler|vide|soun|mhlr|dhlr|)$/

/** The tags that exiftool finds in a copy and that say more than orientation and colour. */
export async function readTags(path: string): Promise<string[]> {
  const { out } = await runTool(['exiftool', '-json', '-G1', '-a', '-n', path])
  const [tags = {}] = JSON.parse(out || '[]') as Record<string, unknown>[]
  return Object.entries(tags).flatMap(([key, value]) => {
    const name = key.split(':').at(-1) ?? ''
    if (dates.test(key)) return Number.parseInt(String(value), 10) === 0 ? [] : [`exiftool: ${key} = ${value}`]
    if (/^(?:Handler|Vendor|Compressor)/.test(name) && !/ID$|Type$|Class$/.test(name))
      return own.test(String(value)) ? [] : [`exiftool: ${key} = ${value}`]
    return allowed.some(form => form.test(key)) ? [] : [`exiftool: ${key} = ${String(value).slice(0, 60)}`]
  })
}
