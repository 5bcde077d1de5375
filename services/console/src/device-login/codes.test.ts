import { expect, test } from 'bun:test'
import { hashDeviceCode, newDeviceCode, newUserCode, readUserCode } from './codes'

test('a user code is eight unambiguous letters with a dash, read in whatever form it is typed', () => {
  for (let count = 0; count < 200; count++) expect(newUserCode()).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' wdjb – mjht ', 'W D J B M J H T']) expect(readUserCode(typed)).toBe('WDJB-MJHT')
  for (const typed of ['', 'WDJB', 'WDJB-MJHTX', 'WDJB-MJH1', 'AEIO-UAEI', "' or 1=1 --", 'WDJB_MJHT'])
    expect(readUserCode(typed)).toBeUndefined()
})

test('a device code has 256 bits, and its hash alone is kept', () => {
  const codes = new Set(Array.from({ length: 100 }, newDeviceCode))
  expect(codes.size).toBe(100)
  for (const code of codes) expect([Buffer.from(code, 'base64url').length, hashDeviceCode(code).length]).toEqual([32, 32])
})
