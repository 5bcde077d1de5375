import { accept, type Case, refuse, type Subject, url, urls } from './case'

/** The rules of single models, both ways; those of fields and references are made from the tables. */
export const ruleCases = (subject: Subject): Case[] => rules[`${subject.model.model} ${subject.mode}`]?.(subject) ?? []

const videos = (...seconds: number[]) => ({ reference_video_urls: urls(seconds.length), reference_video_durations: seconds })
const audio = (...seconds: number[]) => ({ reference_audio_urls: urls(seconds.length), reference_audio_durations: seconds })
const images = (count: number) => ({ reference_image_urls: urls(count) })
const noImages = { reference_image_urls: undefined }

const twelveReferences = (subject: Subject): Case[] => [
  accept(subject, 'twelve references', { ...images(9), ...videos(2, 2, 2) }),
  accept(subject, 'twelve references of three kinds', { ...images(6), ...videos(2, 2, 2), ...audio(2, 2, 2) }),
  refuse(subject, 'thirteen references', { ...images(9), ...videos(2, 2, 2), ...audio(2) }, 'reference_image_urls'),
  refuse(subject, 'thirteen references of three kinds', { ...images(7), ...videos(2, 2, 2), ...audio(2, 2, 2) }, 'reference_image_urls'),
]

/** "1080p requires duration N". */
const at1080p =
  (allowed: number, other: number) =>
  (subject: Subject): Case[] => [
    accept(subject, `1080p for ${allowed} s`, { resolution: '1080p', duration: allowed }),
    refuse(subject, `1080p for ${other} s`, { resolution: '1080p', duration: other }, 'duration'),
    accept(subject, `768p for ${other} s`, { resolution: '768p', duration: other }),
  ]

const audioAlone = (subject: Subject): Case[] => [accept(subject, 'audio alone', { ...noImages, ...audio(5) })]

const rules: Record<string, (subject: Subject) => Case[]> = {
  'alpha-h3 media-to-video': subject => [
    ...twelveReferences(subject),
    refuse(subject, 'audio alone', { ...noImages, ...audio(5) }, 'reference_image_urls'),
    accept(subject, 'audio with an image', { ...images(1), ...audio(5) }),
    accept(subject, 'audio with a video', { ...noImages, ...videos(5), ...audio(5) }),
    accept(subject, 'fifteen seconds of each kind', { ...noImages, ...videos(15), ...audio(15) }),
  ],
  'alpha-h3-fast media-to-video': subject => [
    ...twelveReferences(subject),
    ...audioAlone(subject),
    refuse(subject, 'videos for 3 s', { ...videos(5), duration: 3 }, 'duration'),
    accept(subject, 'videos for 4 s', { ...videos(5), duration: 4 }),
    refuse(subject, 'videos at 480p', { ...videos(5), resolution: '480p' }, 'resolution'),
    accept(subject, 'images for 1 s at 480p', { ...images(1), duration: 1, resolution: '480p' }),
  ],
  'eta-3.0 media-to-video': subject => [
    accept(subject, 'input and output of 30 s', { ...videos(15), duration: 15 }),
    refuse(subject, 'input and output of 31 s', { ...videos(15), duration: 16 }, 'duration'),
    accept(subject, 'audio does not count as input video', { ...audio(15), duration: 30 }),
    refuse(subject, 'two inputs and output of 31 s', { ...videos(7, 8), duration: 16 }, 'duration'),
    ...audioAlone(subject),
  ],
  'delta-motion-control media-to-video': subject => [
    accept(subject, 'duration follows the video', { ...videos(12), duration: undefined }, { duration: 12 }),
    accept(subject, 'duration like the video', { ...videos(12), duration: 12 }),
    refuse(subject, 'duration unlike the video', { ...videos(12), duration: 11 }, 'duration'),
    refuse(subject, 'no character image', noImages, 'reference_image_urls'),
    refuse(subject, 'no motion video', { reference_video_urls: [], reference_video_durations: [] }, 'reference_video_urls'),
  ],
  'delta-2.6 image-to-video': subject => [
    accept(subject, 'end frame at 1080p', { end_image_url: url(), resolution: '1080p' }),
    accept(subject, 'end frame at 1080p with audio off', { end_image_url: url(), resolution: '1080p', generate_audio: false }),
    refuse(subject, 'end frame at 1080p with audio', { end_image_url: url(), resolution: '1080p', generate_audio: true }, 'generate_audio'),
    refuse(subject, 'end frame at 720p', { end_image_url: url(), resolution: '720p' }, 'resolution'),
    refuse(subject, 'end frame at the default resolution', { end_image_url: url() }, 'resolution'),
    accept(subject, 'audio at 1080p without an end frame', { resolution: '1080p', generate_audio: true }),
  ],
  'lambda-v6 image-to-video': subject => [
    ...[5, 8].map(duration => accept(subject, `paired frames for ${duration} s`, { end_image_url: url(), duration })),
    ...[4, 6, 7, 9].map(duration => refuse(subject, `paired frames for ${duration} s`, { end_image_url: url(), duration }, 'duration')),
    accept(subject, 'one frame for 7 s', { duration: 7 }),
  ],
  'kappa-2.3 text-to-video': at1080p(6, 10),
  'kappa-2.3 image-to-video': at1080p(6, 10),
  'kappa-2.3-fast image-to-video': at1080p(6, 10),
  'kappa-02 text-to-video': at1080p(5, 10),
  'kappa-02 image-to-video': at1080p(5, 10),
  'eta-2.6 media-to-video': audioAlone,
  'eta-2.5 media-to-video': audioAlone,
  'eta-2.7 media-to-video': audioAlone,
  'beta-2.5 media-to-video': audioAlone,
  'beta-2.0 media-to-video': audioAlone,
}
