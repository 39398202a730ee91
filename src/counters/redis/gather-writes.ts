/** Decides when commands go out: those of one turn of the event loop go as a few texts, because a write to a socket costs more than a command. */
import type { Writable } from 'node:stream';

/** So many go at once: the server runs them while the next ones are made. */
const MANY = 8;

/** Changes the stream itself, and returns it. Texts only are gathered; `write` answers true for them, as if there were no limit. */
export function gatherWrites<Stream extends Writable>(stream: Stream): Stream {
  const write = stream.write as (...args: unknown[]) => boolean;
  const end = stream.end as (...args: unknown[]) => Stream;
  let gathered = '';
  let count = 0;
  let isSet = false;
  const send = () => {
    const text = gathered;
    gathered = '';
    count = 0;
    if (text !== '' && !stream.destroyed) write.call(stream, text);
  };
  stream.write = (...args: unknown[]) => {
    if (typeof args[0] !== 'string' || args.length > 1) {
      send();
      return write.apply(stream, args);
    }
    gathered += args[0];
    count += 1;
    if (count === MANY) send();
    else if (!isSet) {
      isSet = true;
      setImmediate(() => {
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
