/** Reads all that arrives on the sockets of a server into one buffer, which each arrival uses again: a new one for each would cost more than reading it. */
import type { Socket } from 'node:net';

/** @param bytes valid until it returns: what is kept has to be copied */
export type OnBytes = (bytes: Buffer) => void;

/** As much as Node takes from the system at once. */
const BUFFER_BYTES = 64 * 1024;
const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** What Node sets for the option `onread` of a socket that a program opens. A server has no such option for those it accepts. */
interface ReadingSocket extends Socket {
  readonly _handle?: { readonly useUserBuffer?: (buffer: Uint8Array) => void };
  [field: symbol]: unknown;
}

/**
 * Calls `onBytes` for all that arrives, until what it returns is called: then the socket emits `data` again. In a version
 * of Node that names its fields otherwise, each arrival has a buffer of its own.
 */
export function readInPlace(accepted: Socket, onBytes: OnBytes): () => void {
  const socket = accepted as ReadingSocket;
  const [bufferField, callbackField] = fieldsOf(socket);
  if (bufferField === undefined || callbackField === undefined || !socket._handle?.useUserBuffer) {
    socket.on('data', onBytes);
    return () => void socket.off('data', onBytes);
  }
  let read: (bytes: Buffer) => unknown = onBytes;
  socket[bufferField] = buffer;
  socket[callbackField] = (bytes: number) => read(buffer.subarray(0, bytes));
  socket._handle.useUserBuffer(buffer);
  return () => {
    read = (bytes) => socket.push(Buffer.from(bytes));
  };
}

let fields: readonly [(symbol | undefined)?, (symbol | undefined)?] | undefined;

/** All sockets have the same. */
function fieldsOf(socket: ReadingSocket): readonly [(symbol | undefined)?, (symbol | undefined)?] {
  fields ??= ['kBuffer', 'kBufferCb'].map((name) =>
    Object.getOwnPropertySymbols(socket).find(({ description }) => description === name),
  ) as [symbol?, symbol?];
  return fields;
}
