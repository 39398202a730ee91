/** The writes of one callback are sent together, in order, even if the stream ends in that turn. */
import { Writable } from 'node:stream';
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

/** After everything that is due before the next callback. */
const nextCallback = () => new Promise((resolve) => setImmediate(resolve));

it('sends the writes of one callback together, and those of the next one after them', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      stream.write('a');
      stream.write('b');
      expect(sent).toEqual([]);
    });
    setImmediate(() => {
      expect(sent).toEqual([['ab']]);
      stream.write('c');
      resolve();
    });
  });
  await nextCallback();
  expect(sent).toEqual([['ab'], ['c']]);
});

it('sends everything before the end', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  stream.end('b');
  await nextCallback();
  expect(sent.flat()).toEqual(['a', 'b']);
});

it('keeps the order of texts and bytes', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  stream.write(Buffer.from('b'));
  stream.write('c');
  await nextCallback();
  expect(sent.flat().map(String).join('')).toBe('abc');
});

it('does not fail when the stream is destroyed within the callback', async () => {
  const sent: string[][] = [];
  const stream = streamThatNotes(sent);
  stream.write('a');
  stream.destroy();
  await nextCallback();
  expect(sent).toEqual([]);
});
