/** Decides when commands go out: those of one callback go as one text, because a write to a socket costs more than a command. */
import type { Writable } from 'node:stream';

/** Changes the stream itself, and returns it. Texts only are gathered; `write` answers true for them, as if there were no limit. */
export function gatherWrites<Stream extends Writable>(stream: Stream): Stream {
  const write = stream.write as (...args: unknown[]) => boolean;
  const end = stream.end as (...args: unknown[]) => Stream;
  let gathered = '';
  let isSet = false;
  const send = () => {
    const text = gathered;
    gathered = '';
    if (text !== '' && !stream.destroyed) write.call(stream, text);
  };
  stream.write = (...args: unknown[]) => {
    if (typeof args[0] !== 'string' || args.length > 1) {
      send();
      return write.apply(stream, args);
    }
    gathered += args[0];
    if (!isSet) {
      isSet = true;
      process.nextTick(() => {
        isSet = false;
        send();
      });
    }
    return true;
  };
  stream.end = (...args: unknown[]) => {
    send();
    return end.apply(stream, args);
  };
  return stream;
}
