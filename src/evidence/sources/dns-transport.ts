/** Decides how one query reaches one server, which packet is its reply, and which server a setting names. */
import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import { answersQuery } from './dns-message.ts';

/** An open query. Neither kind keeps the process alive: only the code that waits for the reply does. */
export interface Transmission {
  stop(): void;
}

/** Callbacks of a reception: at most one of the two is called, once, and never after `stop`. */
export interface Reception {
  reply(message: Buffer): void;
  /** The server cannot be reached, or closed the connection. */
  lost(): void;
}

/** A fresh connected socket: a random port of its own, and the kernel drops datagrams of anyone but the server. */
export function askOverUdp(server: ServerAddress, query: Buffer, on: Reception): Transmission {
  const socket = createSocket(server.family === 6 ? 'udp6' : 'udp4');
  let open = true;
  const stop = () => {
    if (open) socket.close();
    open = false;
  };
  socket.unref();
  socket.on('connect', () => {
    if (open) socket.send(query);
  });
  socket.on('message', (message) => {
    if (!open || !answersQuery(query, message)) return;
    stop();
    on.reply(message);
  });
  socket.on('error', () => {
    if (!open) return;
    stop();
    on.lost();
  });
  socket.connect(server.port, server.address);
  return { stop };
}

/** RFC 7766: the message with its length before it, one exchange a connection. */
export function askOverTcp(server: ServerAddress, query: Buffer, on: Reception): Transmission {
  const socket = connect({ host: server.address, port: server.port });
  let received: Buffer = Buffer.alloc(0);
  let open = true;
  const stop = () => {
    open = false;
    socket.destroy();
  };
  const lost = () => {
    if (!open) return;
    stop();
    on.lost();
  };
  socket.unref();
  socket.on('connect', () => socket.write(withLength(query)));
  socket.on('error', lost);
  socket.on('close', lost);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const message = received.subarray(2, 2 + received.readUInt16BE(0));
    if (!open) return;
    if (!answersQuery(query, message)) return lost();
    stop();
    on.reply(message);
  });
  return { stop };
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

export interface ServerAddress {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

const DNS_PORT = 53;
const BRACKETED = /^\[([^\]]+)\](?::(\d{1,5}))?$/;
const WITH_PORT = /^([^:]+):(\d{1,5})$/;

/** Reads `ip`, `ip:port`, `v6` or `[v6]:port`; `undefined` for anything else, names included. */
export function readServerAddress(text: string): ServerAddress | undefined {
  const match = BRACKETED.exec(text) ?? WITH_PORT.exec(text);
  const address = match?.[1] ?? text;
  const port = match?.[2] === undefined ? DNS_PORT : Number(match[2]);
  const family = isIP(address);
  if (family === 0 || port < 1 || port > 65_535) return undefined;
  if (text.startsWith('[') && family === 4) return undefined;
  return { address, port, family: family === 4 ? 4 : 6 };
}
