/** Opens a Unix socket, and removes the file that a killed service left, but nobody else's. */
import { once } from 'node:events';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';

/** The owner and its group may connect, such as a proxy that is in this group; the folder decides besides who gets there. */
const SOCKET_MODE = 0o660;

/** @throws when something is there that is no socket, or somebody listens on it */
export async function listenOnSocket(server: Server, path: string, backlog: number): Promise<void> {
  await removeStale(path);
  server.listen({ path, backlog });
  await once(server, 'listening');
  await chmod(path, SOCKET_MODE);
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket())
    throw new Error('there is a file of this name, and it is no socket: remove it, or choose another name');
  if (await isAnswered(path))
    throw new Error('another process listens there: stop it, or choose another name');
  await unlink(path);
}

/** Whether somebody listens: without, the system refuses a connection at once. Anything else may be a living service. */
async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
