/** Decides which nodes share feeds, and which of these one snapshot: those that would make the same of them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Feed } from './feed.ts';
import { claimedId } from './snapshot-container.ts';

export interface BuildId {
  /** The release with its bundled snapshot: another one may read or judge the same feed otherwise. */
  readonly build: string;
  /** The build and its enabled feeds: others are compiled to another snapshot. */
  readonly scope: string;
}

const HEAD_BYTES = 64;

/** @throws when there is no bundled snapshot */
export async function readBuildId(baselineFile: string | URL, feeds: readonly Feed[]): Promise<BuildId> {
  const build = `${ownRelease()} ${await idOfFile(baselineFile)}`;
  const enabled = feeds.filter((feed) => feed.enabled);
  const hash = createHash('sha256')
    .update(JSON.stringify([build, enabled]))
    .digest('hex');
  return { build, scope: hash.slice(0, 16) };
}

/** Of this program. */
export function ownRelease(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** @throws when there is no such file, or it is no snapshot */
export async function idOfFile(file: string | URL): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return claimedId(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
