import { expect, test } from 'bun:test'
import { eventStreamReader } from './event-stream.ts'

const stream =
  '\ufeffretry: 1500\r\n\r\n: a comment\nid: 1\ndata: {"a":\ndata:  1}\nevent: ignored\n\n:\n\ndata\r\rid: 2\rdata:x: y\r\ndata\r\n\r\nid: 3\ndata: é🙂\n\ndata: cut'
const told = [
  { id: '1', data: '{"a":\n 1}' },
  { id: '1', data: '' },
  { id: '2', data: 'x: y\n' },
  { id: '3', data: 'é🙂' },
]

const readIn = (pieces: string[]) => {
  const retries: number[] = []
  const reader = eventStreamReader(ms => retries.push(ms))
  return { events: pieces.flatMap(piece => reader.push(piece)), retries }
}

test('events are the same wherever the stream is split, and one that was cut is not told', () => {
  expect(readIn([stream])).toEqual({ events: told, retries: [1500] })
  expect(readIn([...stream])).toEqual({ events: told, retries: [1500] })
  for (let at = 0; at <= stream.length; at++)
    for (let to = at; to <= stream.length; to += 7)
      expect(readIn([stream.slice(0, at), stream.slice(at, to), stream.slice(to)])).toEqual({ events: told, retries: [1500] })
})

test('an id with NUL and a retry that is no number are ignored', () => {
  expect(readIn(['id: 4\0\nretry: soon\ndata: a\n\n'])).toEqual({ events: [{ id: undefined, data: 'a' }], retries: [] })
})
