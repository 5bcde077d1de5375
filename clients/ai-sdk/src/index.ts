export { createFilmgate, type FilmgateProvider, type FilmgateProviderSettings, filmgate } from './provider.ts'
export type { FilmgateModelId, FilmgateVideoMetadata, FilmgateVideoOptions } from './video-options.ts'
