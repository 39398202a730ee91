/** Decides when commands go out: those of one turn of the event loop go together, because a write to a socket costs more than a command. */
import type { Writable } from 'node:stream';

/** Changes the stream itself, and returns it. */
export function gatherWrites<Stream extends Writable>(stream: Stream): Stream {
  const write = stream.write as (...args: unknown[]) => boolean;
  let isHolding = false;
  const send = () => {
    isHolding = false;
    stream.uncork();
  };
  stream.write = (...args: unknown[]) => {
    if (!isHolding) {
      isHolding = true;
      stream.cork();
      setImmediate(send);
    }
    return write.apply(stream, args);
  };
  return stream;
}
