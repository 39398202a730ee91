/** The writes of one turn of the event loop are sent together, in order, even if the stream ends in that turn. */
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gatherWrites } from './gather-writes.ts';

function streamThatNotes(sent: string[][]): Writable {
  return gatherWrites(
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        sent.push([chunk]);
        done();
      },
      writev: (chunks, done) => {
        sent.push(chunks.map(({ chunk }) => String(chunk)));
        done();
      },
    }),
  );
}

it('sends the writes of one turn together, and those of the next turn after them', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  await Promise.resolve();
  stream.write('b');
  expect(sent).toEqual([]);
  await nextTurn();
  stream.write('c');
  await nextTurn();
  expect(sent).toEqual([['ab'], ['c']]);
});

it('sends eight writes at once', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  for (const write of 'abcdefghij') stream.write(write);
  expect(sent).toEqual([['abcdefgh']]);
  await nextTurn();
  expect(sent).toEqual([['abcdefgh'], ['ij']]);
});

it('sends everything before the end', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  stream.end('b');
  await nextTurn();
  expect(sent.flat()).toEqual(['a', 'b']);
});

it('keeps the order of texts and bytes', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  stream.write(Buffer.from('b'));
  stream.write('c');
  await nextTurn();
  expect(sent.flat().map(String).join('')).toBe('abc');
});

it('does not fail when the stream is destroyed within the turn', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  stream.destroy();
  await nextTurn();
  expect(sent).toEqual([]);
});
