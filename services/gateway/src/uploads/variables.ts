import { integer } from '@filmgate/kit/environment/variables'

const mebibytes = { min: 1, max: 1_048_576 }

/** How much an account may upload within a day, in MiB: less for those who have bought nothing. */
export const uploadRoomVariables = {
  uploadRoomMebibytes: ['FILMGATE_UPLOAD_ROOM_MEBIBYTES', integer({ ...mebibytes, fallback: 1_024 })],
  /** More for each 100 credits of the paid balance. */
  uploadRoomPaidMebibytes: ['FILMGATE_UPLOAD_ROOM_PAID_MEBIBYTES', integer({ ...mebibytes, min: 0, fallback: 64 })],
  uploadRoomMebibytesMax: ['FILMGATE_UPLOAD_ROOM_MEBIBYTES_MAX', integer({ ...mebibytes, fallback: 16_384 })],
} as const

export type UploadRoom = Record<keyof typeof uploadRoomVariables, number>
