/** Files of Node, Bun and Deno, for those who want them by themselves. */
export { readFile as fileAsBlob } from './files/disk.ts'
